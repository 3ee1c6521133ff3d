"""What the words of a question mean: its times, places, names and event."""
