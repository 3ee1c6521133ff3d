"""What several processes need of an Elasticsearch server: its settings, and a connection that fails in one way."""
