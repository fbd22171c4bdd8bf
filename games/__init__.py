"""Sample games."""
