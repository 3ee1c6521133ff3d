"""Checks what an answer says against the words that are said to bear it out."""
