"""Many boxes in pygfx. Arguments: boxes, materials, "static", "one" or "all" that move, "meshes" or "instanced"."""

import sys

import numpy as np
import pygfx as gfx
from rendercanvas.offscreen import RenderCanvas

from benchmarks.peers.peer_frames import print_median

count, materials, moving, way = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
canvas = RenderCanvas(size=(16, 16), pixel_ratio=1)
renderer = gfx.renderers.WgpuRenderer(canvas)
scene = gfx.Scene()
scene.add(gfx.AmbientLight(), gfx.DirectionalLight())
camera = gfx.PerspectiveCamera(60, 1)
geometry = gfx.box_geometry(1, 1, 1)
looks = [gfx.MeshStandardMaterial(color=(number / materials, 0.5, 0.5)) for number in range(materials)]
side = round(count**0.5) + 1
places = np.array([(number % side - side / 2, number // side - side / 2, -2.0 * side) for number in range(count)])
meshes, batches = [], []
if way == "meshes":
    for number, place in enumerate(places.tolist()):
        mesh = gfx.Mesh(geometry, looks[number % materials])
        mesh.local.position = place
        scene.add(mesh)
        meshes.append(mesh)
else:
    for number, look in enumerate(looks):
        of_look = places[number::materials]
        if len(of_look):
            batch = gfx.InstancedMesh(geometry, look, len(of_look))
            batch.instance_buffer.data["matrix"] = np.eye(4)
            batch.instance_buffer.data["matrix"][:, 3, :3] = of_look
            batch.instance_buffer.update_full()
            scene.add(batch)
            batches.append(batch)


def move(number: int) -> None:
    """Move one box or all of them."""
    depth = -2.0 * side + 0.01 * (number % 7)
    if moving == "one" and meshes:
        meshes[0].local.z = depth
    elif moving == "one":
        batches[0].instance_buffer.data["matrix"][0, 3, 2] = depth
        batches[0].instance_buffer.update_range(0, 1)
    elif moving == "all":
        for mesh in meshes:
            mesh.local.z = depth
        for batch in batches:
            batch.instance_buffer.data["matrix"][:, 3, 2] = depth
            batch.instance_buffer.update_full()


def frame(number: int) -> None:
    """Move boxes and render."""
    move(number)
    canvas.draw()


canvas.request_draw(lambda: renderer.render(scene, camera))
print_median(frame)
