"""Splits a question into a graph of sub-queries."""
