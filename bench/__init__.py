"""Measurements of speed, memory and quality: commands that start what they measure, block, print, and stop it."""
