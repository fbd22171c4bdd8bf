"""The lights of a scene for shaders: a few in a uniform block, many in a buffer by clusters of the view."""
