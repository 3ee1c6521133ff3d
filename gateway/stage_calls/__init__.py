"""The calls that a turn makes of the stages: intercepted, to be recorded, logged or answered from a log."""
