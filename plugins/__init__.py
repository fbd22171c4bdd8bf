"""Plugins that ship with renderwright. Each stands alone and uses the public plugin API only."""
