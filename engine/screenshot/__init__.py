"""Pictures larger than what is shown, rendered by tiles and written row by row.

``grid`` cuts a picture into tiles, ``sheet`` says where those of several views are rendered, ``tiled`` renders one
after another in a session, ``canvas`` puts them together, ``png`` writes rows of texels.
"""

from renderwright.engine.screenshot.grid import GridTile, TileGrid
from renderwright.engine.screenshot.png import PngWriter
from renderwright.engine.screenshot.tiled import TiledScreenshot, save_by_tiles

__all__ = ["GridTile", "PngWriter", "TileGrid", "TiledScreenshot", "save_by_tiles"]
