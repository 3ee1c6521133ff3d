"""Pictures of documents: which of them show something. Stages that place pictures share these rules."""
