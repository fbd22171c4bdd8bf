"""Skinning on the GPU: a compute node moves the vertices of characters, once for all views and shadow maps."""
