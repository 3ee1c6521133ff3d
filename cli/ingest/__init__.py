"""`parley ingest`: ingest documents into a collection."""
