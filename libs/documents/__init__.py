"""Document structure: sections with headings, and blocks such as paragraphs, lists, tables and code."""
