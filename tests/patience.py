"""How long tests wait for what has to come. Every test may import this."""

PATIENCE = 600.0
"""Seconds. What comes ends the wait, so a long one costs nothing, and a machine with much to do fails no test."""
