"""Sentence embeddings: model folders, their profiles, and batching across callers."""
