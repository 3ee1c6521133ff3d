"""A process that serves: its server, and what is common to all incoming calls."""
