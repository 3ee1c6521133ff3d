"""The search engines: derived from the corpus, so each can be discarded and rebuilt."""
