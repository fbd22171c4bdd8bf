"""Memory planning: cyclic packing of transient resources and histories."""
