"""``play --dump``: textures and buffers as they are after a node, as files.

``dump.py`` is a dump as the command line names it, ``dumper.py`` takes the dumps of a game that is played.
"""
