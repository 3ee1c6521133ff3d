"""The one reading of a turn: `read_turn` makes it where the turn enters, and every stage takes it as given."""
