"""The databases that hold a corpus, SQLite or PostgreSQL, behind one Protocol."""
