"""Skeleton frame graphs: YAML files that declare the base of a frame."""

from renderwright.engine.skeleton.loader import load_skeleton, parse_skeleton, skeleton_json_schema
from renderwright.engine.skeleton.problems import SkeletonFileError, SkeletonProblem
from renderwright.engine.skeleton.shipped import find_skeleton, loaded_skeletons, shipped_skeletons
from renderwright.engine.skeleton.skeleton import PICTURE, RENDERED, VIEWPORT, Skeleton, to_snapshot

__all__ = [
    "PICTURE",
    "RENDERED",
    "VIEWPORT",
    "Skeleton",
    "SkeletonFileError",
    "SkeletonProblem",
    "find_skeleton",
    "load_skeleton",
    "loaded_skeletons",
    "parse_skeleton",
    "shipped_skeletons",
    "skeleton_json_schema",
    "to_snapshot",
]
