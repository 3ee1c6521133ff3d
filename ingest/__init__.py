"""Files of a user's machine read as documents, before anything is sent."""
