"""Condenses follow-ups of a language whose words are known by their agreement: gender, number, articles."""
