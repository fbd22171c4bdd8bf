"""Views: which cameras are shown, where on the output, and how one view is split further.

A *view* is one picture that the graph's nodes make, written once and repeated over the multiplexing dimensions. Its
data is a ``View``: a camera (position, rotation, near plane), a ``Frustum`` (what of the space before the camera it
shows), the ``Rectangle`` of the output that it fills, and the offset of its samples within a texel. All views of a
frame are a ``ViewSet``, a frozen value made anew for each frame:

==========  =======================================  ===================================================
dimension   an instance is                           where it comes from
==========  =======================================  ===================================================
``view``    a player's view                          ``ViewSet.views``, one entry each
``eye``     an eye's part of a player's view         the ``Split`` of that name: another position and frustum
``sample``  one of several samples a texel           the ``Split`` of that name: another ``View.offset``
``tile``    a part of a picture too large for one    the ``Split`` of that name: a part of frustum and picture
==========  =======================================  ===================================================

A ``Split`` says how often a dimension repeats a view, and what of it one repetition shows. ``ViewSet.at(index)`` takes
a player's view and applies the splits in the order in which they were added, so each knows nothing of the others: eyes
of two players, samples of eyes. A new dimension is a new ``Split``, nothing else. A split shows nothing that lies
outside the view that it splits, so a player's view as a whole (``ViewSet.whole``) is what work that its parts share can
rely on.

Who arranges the views
    In each frame the session makes the plainest set, the first camera over the whole output, and hands it to the hook
    ``renderwright_views`` of each enabled plugin, in order of their names, which give back another one: players side by
    side, eyes. What the application itself wants of a frame (samples) it adds behind them, as
    ``Session.splits``. Counts, sizes and cameras may be others in every frame; no node is declared anew for that. A
    large screenshot arranges the views of the whole picture once and shows part by part of them
    (``Session.fixed_views``).

How an instance gets its data
    As blobs, which have a history like any resource. The engine's nodes (``renderwright.engine.renderer.nodes``) make:

    - ``views``, once: the ``ViewSet``,
    - ``view_camera``, for each view: the ``CameraView`` of the whole view, for what its parts share (shadow maps),
    - ``view``, for each instance of all dimensions: its ``View``,
    - ``camera``, for each instance of all dimensions: its ``CameraView``, as shaders want it. Last frame's matrices
      are its history.

    A node reads those and is thereby repeated like them; ``cmd.index`` tells an execute function its instance.

Sizes
    All views share one auto-resolution, ``viewport``: the size of a rectangle (of the largest, if they differ), or of
    ``View.size`` where the output only mirrors what is shown elsewhere. The skeletons' ``main_view`` follows it, and
    with it all textures of views.

Who composes
    The engine's node ``compose`` draws each instance's finished picture, ``ldr``, into its rectangle of ``image``. What
    lies in no rectangle stays in the clear colour. The HUD of each player is drawn into the rectangle of the whole
    view, unless that has a ``View.hud_panel``: then whoever arranged the view shows it.
"""

from renderwright.engine.scene.frustum import Frustum
from renderwright.engine.views.crop import Bend, Crop
from renderwright.engine.views.rectangle import Rectangle
from renderwright.engine.views.tile import Tile
from renderwright.engine.views.view import View
from renderwright.engine.views.view_set import Split, ViewSet

__all__ = ["Bend", "Crop", "Frustum", "Rectangle", "Split", "Tile", "View", "ViewSet"]
