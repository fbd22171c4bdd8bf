"""The barriers of a frame: derived for each resource, given aliasing sources, split, coalesced.

The rules for a sequence of accesses are in ``renderwright.render.sync``.
"""
