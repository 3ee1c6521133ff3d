"""`parley ask`: ask one question or a whole conversation, and show the result."""
