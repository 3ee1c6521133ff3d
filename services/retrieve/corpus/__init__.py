"""The corpus: documents, passages and vectors in one SQLite file, the source of truth that the engines follow."""
