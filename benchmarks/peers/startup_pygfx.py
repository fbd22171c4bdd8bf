"""A lit box in pygfx: the first frame, offscreen."""

import pygfx as gfx
from rendercanvas.offscreen import RenderCanvas

canvas = RenderCanvas(size=(1280, 720), pixel_ratio=1)
renderer = gfx.renderers.WgpuRenderer(canvas)
scene = gfx.Scene()
scene.add(gfx.AmbientLight(), gfx.DirectionalLight())
scene.add(gfx.Mesh(gfx.box_geometry(2, 2, 2), gfx.MeshStandardMaterial(color="#cc8844")))
camera = gfx.PerspectiveCamera(60, 16 / 9)
camera.show_object(scene)
canvas.request_draw(lambda: renderer.render(scene, camera))
print(canvas.draw().shape)
