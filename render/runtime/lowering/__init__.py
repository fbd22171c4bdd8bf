"""Plans as op lists and command buffers: nodes are bound, executed, recorded, and what is unchanged is kept."""
