"""The answers of two commits compared, event by event: the parts of `bench.commit_comparison`."""
