"""The five stages: one Protocol each, with the values of its requests and steps.

A stage's domain code and its gRPC client implement the same Protocol. Field names are those of the contract's messages,
so that `libs.contracts.wire` converts both ways. A stream's steps are values of several types; `*_FIELDS` name the
response's field for each type.
"""
