"""Recordings of turns: the calls of the stages with their contents, how they are stored, and how they are replayed."""
