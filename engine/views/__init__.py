"""Views: the cameras of a frame, their rectangles on the output, and further splits of each view.

A *view* is one picture that the graph's nodes render. Nodes are declared once and repeated over the multiplexing
dimensions. The data of a view is a ``View``: a camera (position, rotation, near plane), a ``Frustum``, the
``Rectangle`` of the output that it fills, and the offset of its samples within a texel. All views of a frame form a
``ViewSet``, a frozen value that is created in each frame:

==========  =======================================  ===================================================
dimension   an instance is                           source
==========  =======================================  ===================================================
``view``    a player's view                          an entry of ``ViewSet.views``
``eye``     an eye's part of a player's view         the ``Split`` of that name: another position and frustum
``sample``  one of several samples per texel         the ``Split`` of that name: another ``View.offset``
``tile``    a part of a picture too large for one    the ``Split`` of that name: a part of frustum and picture
==========  =======================================  ===================================================

A ``Split`` defines how often a dimension repeats a view, and the part of the view in each repetition.
``ViewSet.at(index)`` takes a player's view and applies the splits in the order of their addition, so splits are
independent of each other: eyes of two players, samples of eyes. A new dimension only needs a new ``Split``. A split
shows nothing outside the view that it splits, so work that the parts share can rely on a player's whole view
(``ViewSet.whole``).

Arrangement
    In each frame the session starts with the first camera on the whole output. It passes this set through the hook
    ``renderwright_views`` of each enabled plugin; a plugin returns another set, such as players side by side, or eyes.
    The session then adds its own splits (``Session.splits``, such as samples). Counts, sizes and cameras may differ in
    every frame; nodes are not declared again for that. A large screenshot arranges the views of the whole picture once
    and then shows part after part of them (``Session.fixed_views``).

Data of an instance
    Views are blobs, which have a history like any resource. The engine's nodes (``renderwright.engine.renderer.nodes``)
    create:

    - ``views``, once: the ``ViewSet``,
    - ``view_camera``, for each view: the ``CameraView`` of the whole view, for work that its parts share (shadow maps),
    - ``view``, for each instance of all dimensions: its ``View``,
    - ``camera``, for each instance of all dimensions: its ``CameraView`` for shaders. The previous frame's matrices are
      its history.

    A node that reads one of these is repeated over its dimensions; ``cmd.index`` tells an execute function its
    instance.

Sizes
    All views share the auto-resolution ``viewport``: the size of a rectangle (the largest, if they differ), or
    ``View.size`` if the output only mirrors another display. The skeletons' ``main_view`` and all textures of views
    derive from it.

Composition
    The engine's node ``compose`` draws each instance's finished picture, ``ldr``, to its rectangle of ``image``. The
    rest of the output keeps the clear colour. Each player's HUD is drawn to the rectangle of the whole view, unless the
    view has a ``View.hud_panel``; then the plugin that arranged the view shows it.
"""

from renderwright.engine.scene.frustum import Frustum
from renderwright.engine.views.crop import Bend, Crop
from renderwright.engine.views.rectangle import Rectangle
from renderwright.engine.views.tile import Tile
from renderwright.engine.views.view import View
from renderwright.engine.views.view_set import Split, ViewSet

__all__ = ["Bend", "Crop", "Frustum", "Rectangle", "Split", "Tile", "View", "ViewSet"]
