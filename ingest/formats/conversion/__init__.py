"""Texts with markup converted to HTML, each by its library; `converted.py` reads what they give."""
