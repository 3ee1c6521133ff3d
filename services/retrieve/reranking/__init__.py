"""Rerankers: models that read a query and a passage together, in this process or behind HTTP."""
