"""Makes the last turn of a conversation stand alone."""
