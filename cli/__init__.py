"""The command line: starts the suite, fills it, asks it, examines it."""
