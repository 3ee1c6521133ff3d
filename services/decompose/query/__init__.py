"""Says what goes to retrieval: the turn's words, weighted words of the conversation, other wordings."""
