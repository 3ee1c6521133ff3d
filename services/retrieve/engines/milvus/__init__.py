"""Vector search by a Milvus server. Only `server` and `schema` use pymilvus."""
