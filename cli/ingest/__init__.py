"""`parley ingest`: files into a collection."""
