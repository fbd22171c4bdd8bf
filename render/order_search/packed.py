"""The heaps that an order needs, by a fast packing."""

from __future__ import annotations

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.packing import pack
from renderwright.render.order_search.life import Life
from renderwright.render.order_search.problem import Order, OrderProblem


def packed_bytes(problem: OrderProblem, order: Order) -> int:
    """The bytes of all heaps, one for each memory class."""
    place = [0] * problem.count
    for number, unit in enumerate(order):
        place[unit] = number
    classes: dict[str, list[Life]] = {}
    for life in problem.lives:
        classes.setdefault(life.memory_class, []).append(life)
    return sum([pack(_items(lives, place), 2 * problem.count).makespan for lives in classes.values()])


def _items(lives: list[Life], place: list[int]) -> list[PackItem]:
    """The copies of even and of odd frames."""
    items = []
    count = len(place)
    for start, end, life in sorted([(*life.arc(place), life) for life in lives], key=_position):
        for frame in (0, count):
            items.append(PackItem(start + frame, end + frame, life.size, life.alignment))
    return items


def _position(entry: tuple[int, int, Life]) -> tuple[int, int, int, int]:
    start, end, life = entry
    return start, end, -life.size, -life.alignment
