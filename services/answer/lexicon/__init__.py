"""What the answer stage knows of words: their stems, forms, relatives, and which of them say little."""
