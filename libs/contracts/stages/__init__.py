"""The five stages: the values of their requests and steps, and a descriptor of each RPC (`libs.contracts.methods`).

Field names are those of the contract's messages, so that `libs.contracts.wire` converts both ways. `METHODS` of each
module are the RPCs that its stage serves.
"""
