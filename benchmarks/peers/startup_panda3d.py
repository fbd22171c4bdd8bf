"""A lit box in Panda3D: the first frame, offscreen."""

from direct.showbase.ShowBase import ShowBase
from panda3d.core import AmbientLight, DirectionalLight, loadPrcFileData

loadPrcFileData("", "window-type offscreen\nwin-size 1280 720\naudio-library-name null")
base = ShowBase()
model = base.loader.loadModel("models/box")
model.reparentTo(base.render)
for light in (AmbientLight("ambient"), DirectionalLight("sun")):
    base.render.setLight(base.render.attachNewNode(light))
base.camera.setPos(3.0, -6.0, 2.0)
base.camera.lookAt(model)
base.graphicsEngine.renderFrame()
base.graphicsEngine.renderFrame()
print(base.win.getScreenshot().getXSize())
