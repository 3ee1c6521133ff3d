"""`parley eval`: how well the suite does on conversations whose right passages are known."""
