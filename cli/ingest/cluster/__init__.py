"""`parley ingest --ray`: read, cut and embed on a Ray cluster; the command line sends what comes back."""
