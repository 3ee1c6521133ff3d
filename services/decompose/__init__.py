"""Turns a follow-up into a standalone question and plans a graph of sub-queries."""
