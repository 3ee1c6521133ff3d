"""The one door: takes a turn, drives it over the stages, streams its events, keeps the conversation."""
