"""Vector search by a Milvus server. What touches pymilvus stands in `server` and `schema`."""
