"""Numbers and their units: found in text, read as values, and converted."""
