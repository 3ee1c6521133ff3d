"""Word, PowerPoint and Excel."""
