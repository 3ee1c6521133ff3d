"""Code generated from the contracts, for the clients of other languages."""
