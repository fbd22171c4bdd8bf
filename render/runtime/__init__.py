"""Runs a plan: the frame loop, bindings, histories, timings."""
