"""Barriers derived, given aliasing sources, split, coalesced."""
