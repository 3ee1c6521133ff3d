"""Exports a `Timeline` as Markdown or iCalendar. Plain functions."""
