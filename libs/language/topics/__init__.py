"""What the rules know of a language, one class a topic; the words are in `data/<language>/<topic>.toml`."""
