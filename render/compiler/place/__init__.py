"""Sizes, byte offsets in heaps, shared images, dynamic resolution."""
