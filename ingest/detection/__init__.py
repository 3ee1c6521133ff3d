"""What kind of file it is, and in which encoding."""
