"""The gateway's stores in SQLite files of one machine."""
