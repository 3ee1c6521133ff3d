"""The embedded engines: derived from the corpus, each can be thrown away and built anew."""
