"""The compiler: one stage a file, each a pure function of frozen values; ``pipeline`` strings them together."""
