"""Several questions in one turn: split, and each linked to those before it."""
