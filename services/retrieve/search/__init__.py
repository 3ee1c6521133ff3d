"""From a query to evidence: engines, fusion, grouping, ranking."""
