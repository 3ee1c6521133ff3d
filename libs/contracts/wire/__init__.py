"""Where the vocabulary meets protobuf."""
