"""`parley ask`: a question, or a conversation of them, and what becomes of it."""
