"""Checks the sentences of an answer against the passages that should support them."""
