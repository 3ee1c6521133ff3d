"""Tasks of the stage besides writing, done by a language model; what it returns is checked against the passages."""
