"""glTF 2.0 models: ``load_gltf``. The other modules read one kind of what a file holds each."""

from renderwright.engine.scene.gltf.loading import load_gltf

__all__ = ["load_gltf"]
