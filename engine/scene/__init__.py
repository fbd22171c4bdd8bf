"""The scene that a game fills: entities with meshes and materials, lights, sky and camera.

Models are loaded by ``engine.scene.gltf.load_gltf``; shapes are made by ``engine.scene.primitives``.
"""

from engine.scene.bounds import Bounds
from engine.scene.camera import Camera, Ray
from engine.scene.draw_list import DrawBatch, DrawList
from engine.scene.entity import Entity
from engine.scene.environment import Environment, Panorama
from engine.scene.image import Image, decode_image, load_image
from engine.scene.light import DirectionalLight, Light, PointLight, SpotLight
from engine.scene.material import Material
from engine.scene.mesh import VERTEX_FLOATS, Mesh
from engine.scene.scene import Scene
from engine.scene.sky import Sky
from engine.scene.transform import Transform

__all__ = [
    "VERTEX_FLOATS",
    "Bounds",
    "Camera",
    "DirectionalLight",
    "DrawBatch",
    "DrawList",
    "Entity",
    "Environment",
    "Image",
    "Light",
    "Material",
    "Mesh",
    "Panorama",
    "PointLight",
    "Ray",
    "Scene",
    "Sky",
    "SpotLight",
    "Transform",
    "decode_image",
    "load_image",
]
