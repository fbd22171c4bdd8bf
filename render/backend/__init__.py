"""The backends, behind one protocol."""
