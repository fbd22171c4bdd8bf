"""The scene of a game: entities with meshes and materials, lights, sky and cameras.

``renderwright.engine.scene.gltf.load_gltf`` loads models; ``renderwright.engine.scene.primitives`` makes simple shapes.
"""

from renderwright.engine.scene.bounds import Bounds
from renderwright.engine.scene.camera import Camera, Ray
from renderwright.engine.scene.draw_list import DrawBatch, DrawList
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.environment import Environment, Panorama
from renderwright.engine.scene.group import Group
from renderwright.engine.scene.image import Image, decode_image, load_image
from renderwright.engine.scene.kept_image import kept_image
from renderwright.engine.scene.light import DirectionalLight, Light, PointLight, RectangleLight, SpotLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import VERTEX_FLOATS, Level, Mesh
from renderwright.engine.scene.picking import Hit
from renderwright.engine.scene.probe import Probe
from renderwright.engine.scene.scene import Scene
from renderwright.engine.scene.sky import Sky
from renderwright.engine.scene.surface_layers import Coat, Sheen, Specular, Volume
from renderwright.engine.scene.surface_shader import SurfaceShader
from renderwright.engine.scene.transform import Transform

__all__ = [
    "VERTEX_FLOATS",
    "Bounds",
    "Camera",
    "Coat",
    "DirectionalLight",
    "DrawBatch",
    "DrawList",
    "Entity",
    "Environment",
    "Group",
    "Hit",
    "Image",
    "Level",
    "Light",
    "Material",
    "Mesh",
    "Panorama",
    "PointLight",
    "Probe",
    "Ray",
    "RectangleLight",
    "Scene",
    "Sheen",
    "Sky",
    "Specular",
    "SpotLight",
    "SurfaceShader",
    "Transform",
    "Volume",
    "decode_image",
    "kept_image",
    "load_image",
]
