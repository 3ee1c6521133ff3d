"""The engines that run in this process: full text by tantivy, vectors by exact scans."""
