"""Captures of frames: played, written as JSON or as a page, compared (docs/capture.md)."""
