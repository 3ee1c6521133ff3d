"""Graphs of sub-queries: how they are built and walked, `#id` placeholders, the names of their functions."""
