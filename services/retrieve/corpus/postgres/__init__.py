"""The corpus in PostgreSQL, for several retrieve processes on any number of machines."""
