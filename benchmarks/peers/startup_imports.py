"""The imports that a game with NumPy, a window and Vulkan cannot do without."""

import numpy
import pyglet
import vulkan

print(numpy.__name__, pyglet.__name__, vulkan.__name__)
