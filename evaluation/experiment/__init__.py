"""`parley experiment`: whole conversations asked turn by turn, with everything that led to each answer written down."""
