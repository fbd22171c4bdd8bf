"""Scopes of usages and the dependencies of a sequence of accesses.

``renderwright.render.compiler.sync`` applies them to a frame. ``oracle`` judges streams of commands independently.
"""
