"""How many calls a process takes, and how many of them one caller may make."""
