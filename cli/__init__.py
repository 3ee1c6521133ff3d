"""The command line: start the suite, ingest documents, ask questions, inspect the results."""
