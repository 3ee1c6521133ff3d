"""Exports a `Timeline` as Markdown, iCalendar, JSON or an SVG picture. Plain functions."""
