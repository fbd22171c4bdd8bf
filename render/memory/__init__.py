"""Memory planning: cyclic packing of resources."""
