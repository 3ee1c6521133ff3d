"""Read files of the user's machine as documents, before anything is sent."""
