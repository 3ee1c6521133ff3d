"""Reading: the text of a document as it stands in the evidence, and the days of its sentences."""
