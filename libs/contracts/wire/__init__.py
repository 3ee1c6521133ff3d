"""Conversion between the shared data types and protobuf messages."""
