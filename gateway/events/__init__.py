"""The events of a turn: emitted, logged, sent, resumed."""
