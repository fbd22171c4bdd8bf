"""Render passes merged, with their load and store operations and state switches."""
