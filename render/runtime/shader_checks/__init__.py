"""Checks of shaders against the requests of their nodes."""
