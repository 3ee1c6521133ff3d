"""Answers without a model: quote the best units of the evidence, each whole and under its headings."""
