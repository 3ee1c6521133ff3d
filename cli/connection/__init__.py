"""A command's connection to a running suite."""
