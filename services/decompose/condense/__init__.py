"""Condenses the last turn of a conversation into a standalone question."""
