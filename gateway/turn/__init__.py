"""One turn: understood, planned, searched, written and stored."""
