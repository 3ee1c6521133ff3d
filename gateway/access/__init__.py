"""Who may read, write and administer which collection."""
