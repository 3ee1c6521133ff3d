"""Formulates the retrieval query: the turn's words, weighted words of the conversation, other wordings."""
