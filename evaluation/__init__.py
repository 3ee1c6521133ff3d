"""`parley eval`: measure the suite on conversations whose relevant passages are known."""
