"""Broken and unneeded nodes removed, each with a reason."""
