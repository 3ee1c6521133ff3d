"""Full-text search by an Elasticsearch server, with learned sparse search if the cluster supports it."""
