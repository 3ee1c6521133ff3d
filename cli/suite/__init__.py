"""The processes of a suite: started, watched, stopped."""
