"""Conversations: opened, stored, listed, transferred, deleted."""
