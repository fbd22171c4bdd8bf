"""``play --trace``: a timeline of frames as Chrome trace JSON, which Perfetto and chrome://tracing open.

``events.py`` is the format, ``tracer.py`` collects what a game does.
"""
