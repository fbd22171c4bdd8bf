"""Reuse of whole images: what is described alike and never in use at once is one image.

From Granite's render graph (github.com/Themaister/Granite, ``RenderGraph::build_aliases``; described in Arntzen,
"Render graphs and Vulkan: a deep dive", 2017). Each image, in the order of first use, takes over the first earlier one
of the same format and extent that is free for its life, else it is made. Buffers and images with a history are left
out: a history is a second image, and neither shares. Here, an image that several take over is free for all of their
lives.
"""

from __future__ import annotations

from renderwright.render.memory.arcs import arcs_meet
from renderwright.render.memory.baselines.problem import Baseline, BaselineProblem, Layout, layout, stack, units


def place(problem: BaselineProblem) -> Layout:
    """The images above each other."""
    images: list[list[int]] = []
    shared: dict[str, list[list[int]]] = {}
    for unit in sorted(units(problem), key=lambda unit: problem.items[unit[0]].start):
        item = problem.items[unit[0]]
        same = shared.setdefault(item.description, []) if item.description and not item.outlives else []
        image = next((image for image in same if _is_free(problem, image, unit)), None)
        if image is None:
            image = []
            images.append(image)
            same.append(image)
        image.extend(unit)
    return layout(problem, *stack(problem, images))


def _is_free(problem: BaselineProblem, image: list[int], unit: tuple[int, ...]) -> bool:
    arcs = [(problem.items[number].start, problem.items[number].end) for number in (*image, *unit)]
    owners, takers = arcs[: len(image)], arcs[len(image) :]
    return not any(arcs_meet(owner, taker, problem.period) for owner in owners for taker in takers)


WHOLE_IMAGE_REUSE = Baseline("whole_image_reuse", "Granite", place)
