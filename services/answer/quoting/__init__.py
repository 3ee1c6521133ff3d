"""Answers without a model: what of the evidence's blocks answers best, whole, under its headings."""
