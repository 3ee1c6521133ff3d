"""Full-text search, and learned sparse search where the cluster has it, by an Elasticsearch server."""
