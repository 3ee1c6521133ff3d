"""From a document to indexed passages."""
