"""Event logic shared by the timeline stage and the gateway: date ranges, similarity, export."""
