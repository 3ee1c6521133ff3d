"""The timeline stage: dates the sentences of the evidence and draws the course of events from them."""
