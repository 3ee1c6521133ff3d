"""Engines of the language tasks by name: the built-in ones, and those of other packages."""
