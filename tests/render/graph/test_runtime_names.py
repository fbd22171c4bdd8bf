"""Who stands behind a name while nodes come and go: hijackers, slots, optional requests. Frames run, edit by edit."""

from __future__ import annotations

from itertools import product

import pytest
from value_graph import Step, ValueGraph, play

HIJACKERS: dict[str, list[Step]] = {
    "a resource of the own namespace comes and goes": [
        ({"a": "create x", "p__r": "read x"}, "x=a.0"),
        ({"p__h": "create p/x"}, "x=p/h.1"),
        ({"p__h": None}, "x=a.2"),
    ],
    "a resource of the own namespace hides the other from the start": [
        ({"a": "create x", "p__r": "read x", "p__h": "create p/x"}, "x=p/h.0"),
        ({"a": None}, "x=p/h.1"),
        ({"p__h": None}, None),
    ],
    "a slash in front goes past the own namespace": [
        ({"a": "create x", "p__h": "create p/x", "p__r": "read /x, read x"}, "/x=a.0, x=p/h.0"),
    ],
    "another plugin's namespace is no concern of mine": [
        ({"a": "create x", "p__r": "read x", "q__h": "create q/x, sink"}, "x=a.0"),
    ],
    "an outer namespace is between": [
        ({"a": "create x", "p__r": "read x", "r": "read p/x?"}, "p/x=None"),
        ({"p__h": "create p/x"}, "p/x=p/h.1"),
    ],
    "a name taken over by a rename": [
        ({"a": "create raw", "b": "create x", "r": "read x"}, "x=b.0"),
        ({"b": None, "n": "rename raw x"}, "x=a.1"),
        ({"n": None, "b": "create x"}, "x=b.2"),
    ],
    "a rename into the own namespace, of the name outside": [
        ({"a": "create x", "p__r": "read x"}, "x=a.0"),
        ({"p__h": "rename /x p/x", "p__m": "modify p/x"}, "x=a.1+p/m"),
        ({"p__h": None, "p__m": None}, "x=a.2"),
    ],
    "one rename is put between others": [
        ({"a": "create x", "n": "rename x y", "r": "read y"}, "y=a.0"),
        ({"n": "rename x w", "o": "rename w y", "m": "modify w"}, "y=a.1+m"),
        ({"o": None, "m": None, "n": "rename x y"}, "y=a.2"),
    ],
    "of two creators the first stays, and the second follows it": [
        ({"a": "create x", "b": "create x", "r": "read x"}, "x=a.0"),
        ({"a": None}, "x=b.1"),
        ({"a": "create x"}, "x=a.2"),
        ({"b": "create x, priority 1"}, "x=b.3"),
    ],
    "a creator and a rename to the same name": [
        ({"a": "create raw", "n": "rename raw x", "z": "create x", "r": "read x"}, "x=a.0"),
        ({"n": None}, "x=z.1"),
    ],
    "a hijacker that is itself broken hides nothing it could not give": [
        ({"a": "create x", "p__r": "read x?", "p__h": "create p/x, read nothing"}, "x=None"),
        ({"n": "create nothing"}, "x=p/h.1(n.1)"),
    ],
    "a hijacker's history begins when it does": [
        ({"a": "create x", "p__r": "read x, history x"}, "x=a.0, history x=None"),
        ({}, "x=a.1, history x=a.0"),
        ({"p__h": "create p/x"}, "x=p/h.2, history x=None"),
        ({}, "x=p/h.3, history x=p/h.2"),
        ({"p__h": None}, "x=a.4, history x=None"),
        ({}, "x=a.5, history x=a.4"),
    ],
}


@pytest.mark.parametrize("steps", HIJACKERS.values(), ids=HIJACKERS)
def test_hijackers(values: ValueGraph, steps: list[Step]) -> None:
    play(values, steps)


OPTIONAL: dict[str, list[Step]] = {
    "a provider comes and goes": [
        ({"r": "read x?"}, "x=None"),
        ({"a": "create x"}, "x=a.1"),
        ({"a": None}, "x=None"),
        ({"a": "create x"}, "x=a.3"),
    ],
    "a provider's own need comes and goes": [
        ({"a": "create x, read w", "r": "read x?"}, "x=None"),
        ({"w": "create w"}, "x=a.1(w.1)"),
        ({"w": None}, "x=None"),
    ],
    "a history's resource comes and goes": [
        ({"r": "history x?"}, "history x=None"),
        ({"a": "create x"}, "history x=None"),
        ({}, "history x=a.1"),
        ({"a": None}, "history x=None"),
        ({"a": "create x"}, "history x=None"),
        ({}, "history x=a.4"),
    ],
    "what is gathered comes and goes": [
        ({"r": "gather x?, once"}, "x=[]"),
        ({"a": "create x, view"}, "x=['a@view0.1']"),
        ({"a": None}, "x=[]"),
    ],
    "a rename that finds nothing makes nothing": [
        ({"n": "rename x? y, sink", "r": "read y?"}, "y=None"),
        ({"a": "create x"}, "y=a.1"),
        ({"a": None}, "y=None"),
    ],
    "a modifier that finds nothing does nothing": [
        ({"m": "modify x?, sink", "r": "read x?"}, "x=None"),
        ({"a": "create x"}, "x=a.1+m"),
        ({"a": None}, "x=None"),
    ],
    "a request that is optional no more": [
        ({"r": "read x?"}, "x=None"),
        ({"r": "read x"}, None),
        ({"a": "create x"}, "x=a.2"),
        ({"a": None, "r": "read x?"}, "x=None"),
    ],
    "a provider that leaves because of an error": [
        ({"a": "create x, priority 1", "b": "create x, create y", "r": "read y?"}, "y=None"),
        ({"a": None}, "y=b.1"),
    ],
    "a namesake outside is good enough": [
        ({"p__r": "read x?"}, "x=None"),
        ({"a": "create x"}, "x=a.1"),
        ({"a": None}, "x=None"),
    ],
}


@pytest.mark.parametrize("steps", OPTIONAL.values(), ids=OPTIONAL)
def test_optional_requests(values: ValueGraph, steps: list[Step]) -> None:
    play(values, steps)


def test_two_optional_providers_in_every_order_of_their_coming_and_going(values: ValueGraph) -> None:
    values.set(r="read x?, read y?")
    there = {"a": False, "b": False}
    for frame, wanted in enumerate(product((False, True), repeat=2)):
        for shuffled in (wanted, wanted[::-1]):
            for name, sentence, present in zip("ab", ("create x", "create y"), shuffled, strict=True):
                if present != there[name]:
                    values.set(**{name: sentence if present else None})
                    there[name] = present
            found = values.frame()["r"]
            assert [found["x"] is not None, found["y"] is not None] == list(shuffled), frame


def test_a_slot_is_given_another_resource_each_frame(values: ValueGraph) -> None:
    values.set(a="create x", b="create y", r="read s?, history s?")
    assert values.frame()["r"] == {"s": None, "history s": None}
    for frame, (target, maker) in enumerate([("x", "a"), ("y", "b"), ("x", "a"), ("nothing", "")], 1):
        values.graph.set_slot("s", target)
        assert values.saw("r", "s") == (f"{maker}.{frame}" if maker else None)
    values.graph.set_slot("x", "y")
    values.graph.set_slot("s", "x")
    values.set(a=None)
    assert values.saw("r", "s") == "b.5"
