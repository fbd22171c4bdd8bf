"""Screenshots larger than the output, rendered in tiles and written row by row.

``grid`` divides a picture into tiles, ``sheet`` arranges the tiles of several views on a render target, ``tiled``
renders tile after tile in a session, ``canvas`` assembles them, ``png`` writes rows of texels.
"""

from renderwright.engine.screenshot.grid import GridTile, TileGrid
from renderwright.engine.screenshot.png import PngWriter
from renderwright.engine.screenshot.tiled import TiledScreenshot, save_by_tiles

__all__ = ["GridTile", "PngWriter", "TileGrid", "TiledScreenshot", "save_by_tiles"]
