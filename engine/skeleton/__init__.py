"""Skeleton frame graphs: the YAML files in which an engine declares the base of a frame."""

from engine.skeleton.loader import load_skeleton, parse_skeleton, skeleton_json_schema
from engine.skeleton.problems import SkeletonFileError, SkeletonProblem
from engine.skeleton.shipped import find_skeleton, shipped_skeletons
from engine.skeleton.skeleton import VIEWPORT, Skeleton, to_snapshot

__all__ = [
    "VIEWPORT",
    "Skeleton",
    "SkeletonFileError",
    "SkeletonProblem",
    "find_skeleton",
    "load_skeleton",
    "parse_skeleton",
    "shipped_skeletons",
    "skeleton_json_schema",
    "to_snapshot",
]
