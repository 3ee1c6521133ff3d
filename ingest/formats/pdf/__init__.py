"""PDF: lines with their place on the page, then headings, paragraphs, lists and tables."""
