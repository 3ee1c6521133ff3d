"""Pictures of a PDF's pages, and where words stand on them."""
