"""``renderwright new``: complete packages of a plugin, a game or a skeleton, as a start.

``templates/`` has their files. In the path of a template ``NAME`` stands for the name, and the ending ``.template`` is
dropped; in its text ``$word`` is replaced (``string.Template``).
"""

from renderwright.engine.scaffold.game import new_game
from renderwright.engine.scaffold.package import Package, write_package
from renderwright.engine.scaffold.plugin import PluginKind, new_plugin
from renderwright.engine.scaffold.skeleton import new_skeleton

__all__ = ["Package", "PluginKind", "new_game", "new_plugin", "new_skeleton", "write_package"]
