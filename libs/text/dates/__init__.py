"""Dates of documents and times of questions: found in text and read as exact ranges."""
