"""Many boxes in Panda3D. Arguments: number of boxes, number of materials, and "static", "one" or "all" that move."""

import sys

from direct.showbase.ShowBase import ShowBase
from panda3d.core import Material, loadPrcFileData

from benchmarks.peers.peer_frames import print_median

count, materials, moving = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
loadPrcFileData("", "window-type offscreen\nwin-size 16 16\naudio-library-name null\nsync-video 0")
base = ShowBase()
base.disableMouse()
looks = []
for number in range(materials):
    look = Material()
    look.setDiffuse((number / materials, 0.5, 0.5, 1.0))
    looks.append(look)
box = base.loader.loadModel("models/box")
nodes = []
side = round(count**0.5) + 1
for number in range(count):
    node = box.copyTo(base.render)
    node.setPos(number % side - side / 2, 2.0 * side, number // side - side / 2)
    node.setMaterial(looks[number % materials])
    nodes.append(node)
moved = {"static": [], "one": nodes[:1], "all": nodes}[moving]


def frame(number: int) -> None:
    """Move boxes and render."""
    depth = 2.0 * side + 0.01 * (number % 7)
    for node in moved:
        node.setY(depth)
    base.graphicsEngine.renderFrame()


print_median(frame)
