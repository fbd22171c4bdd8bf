"""The heaps that an order needs, by a fast packing."""

from __future__ import annotations

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.packing import pack
from renderwright.render.order_search.problem import Order, OrderProblem
from renderwright.render.order_search.resource_uses import ResourceUses


def packed_bytes(problem: OrderProblem, order: Order) -> int:
    """The bytes of all heaps, one for each memory class."""
    place = [0] * problem.count
    for number, unit in enumerate(order):
        place[unit] = number
    classes: dict[str, list[ResourceUses]] = {}
    for resource in problem.resources:
        classes.setdefault(resource.memory_class, []).append(resource)
    return sum([pack(_items(resources, place), 2 * problem.count).makespan for resources in classes.values()])


def _items(resources: list[ResourceUses], place: list[int]) -> list[PackItem]:
    """The copies of even and of odd frames."""
    items = []
    count = len(place)
    for start, end, resource in sorted(
        [(*resource.live_range(place), resource) for resource in resources], key=_position
    ):
        for frame in (0, count):
            items.append(PackItem(start + frame, end + frame, resource.size, resource.alignment))
    return items


def _position(entry: tuple[int, int, ResourceUses]) -> tuple[int, int, int, int]:
    start, end, resource = entry
    return start, end, -resource.size, -resource.alignment
