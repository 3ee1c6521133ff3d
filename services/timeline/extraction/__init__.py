"""Extraction: what the dated sentences tell, clause by clause, and how well it fits the question."""
