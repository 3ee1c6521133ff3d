"""`parley experiment`: ask whole conversations turn by turn, and record everything that led to each answer."""
