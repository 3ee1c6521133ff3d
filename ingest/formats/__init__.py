"""The readers, one for each format."""
