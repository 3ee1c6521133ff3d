"""What documents are made of: sections with their headings, and blocks such as paragraphs, lists, tables and code."""
