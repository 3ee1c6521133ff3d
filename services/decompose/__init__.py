"""Makes a follow-up stand alone, and plans a graph of sub-queries."""
