"""Access to an Elasticsearch server for several processes: its settings, and a connection with uniform errors."""
