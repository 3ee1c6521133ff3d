"""The corpus: documents, passages and vectors in one SQLite file, the truth that the engines follow."""
