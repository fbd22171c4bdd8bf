"""Nodes and resources repeated over views, eyes, samples and tiles, and the order between the instances."""
