"""Animation of models: clips, rigs, and a mixer that evaluates all characters of a rig at once.

This package knows numbers only: no scene, no meshes, no GPU.
"""
