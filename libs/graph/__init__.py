"""Shared rules for graphs of sub-queries: their order, `#id` placeholders, the names of their functions."""
