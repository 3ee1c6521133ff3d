"""The data types that the stages share, as plain values. Imports nothing else of the suite."""
