"""Gallery: a museum of effects to walk through."""

from renderwright.games.gallery.game import Gallery

__all__ = ["Gallery"]
