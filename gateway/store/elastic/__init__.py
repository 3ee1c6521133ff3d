"""The gateway's stores in an Elasticsearch that several gateways share."""
