"""Reuse of whole images: resources with equal descriptions that are never in use at once share one image.

From Granite's render graph (github.com/Themaister/Granite, ``RenderGraph::build_aliases``; described in Arntzen,
"Render graphs and Vulkan: a deep dive", 2017). In the order of first use, each image takes the first earlier one with
equal format and extent that is free for its live range, else it is created. Buffers and images with a history are left
out: a history is a second image, and neither shares. Here, an image is free only outside the live ranges of all of its
users.
"""

from __future__ import annotations

from renderwright.render.memory.arcs import arcs_meet
from renderwright.render.memory.baselines.problem import Baseline, BaselineProblem, Layout, layout, stack, units


def place(problem: BaselineProblem) -> Layout:
    """Stacks the images."""
    images: list[list[int]] = []
    by_description: dict[str, list[list[int]]] = {}
    for unit in sorted(units(problem), key=lambda unit: problem.items[unit[0]].start):
        item = problem.items[unit[0]]
        same = by_description.setdefault(item.description, []) if item.description and not item.outlives else []
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
