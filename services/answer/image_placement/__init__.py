"""Pictures beside paragraphs: which of the cited documents' pictures shows what a paragraph tells."""
