"""The gateway: accepts turns, runs them through the stages, streams their events and stores conversations."""
