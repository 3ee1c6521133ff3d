"""Choosing by a language model: which events belong into the timeline, and in which words."""
