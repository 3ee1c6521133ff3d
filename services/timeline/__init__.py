"""The timeline stage: dates the sentences of the evidence and builds a timeline from them."""
