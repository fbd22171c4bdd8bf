"""Crowds: which nodes of a row are taken as one, and that what is asked of them is asked of the first one."""

from renderwright.render.compiler.instances.precedence import EdgeReason, Precedence, Row
from renderwright.render.compiler.order.crowds import Asked, asked
from renderwright.render.incremental.memo import Parts

ALIKE = dict.fromkeys("abcdefgh", ("t",))


def wanted(*groups: tuple[str, str], rows: tuple[str, ...], alike=ALIKE, parts=None) -> Asked:
    """Of nodes with names of one letter; a group is given as those before and those after."""
    found = [Precedence(tuple(before), tuple(after), EdgeReason.CREATE_READ) for before, after in groups]
    lines = [Row(tuple(row), row) for row in rows]
    return asked(found, lines, lambda ids: [alike.get(each, ()) for each in ids], parts or Parts())


def test_alike_neighbours_in_a_row_are_a_crowd_and_the_first_stands_for_all():
    found = wanted(("x", "abc"), ("abc", "y"), rows=("abc", "abc"))
    assert found.crowds == (("a", "b", "c"),)
    assert found.others == {"b", "c"}
    assert found.groups == {(("x",), ("a",)): 1, (("a",), ("y",)): 1}
    assert not found.pairs


def test_who_is_not_alike_parts_a_row():
    found = wanted(rows=("abxcd",))
    assert found.crowds == (("a", "b"), ("c", "d"))
    assert found.pairs == {("a", "x"): 1, ("x", "c"): 1}


def test_who_waits_for_a_single_node_is_in_no_crowd():
    found = wanted(("x", "c"), rows=("abcde",))
    assert found.crowds == (("a", "b"), ("d", "e"))
    assert found.pairs == {("x", "c"): 1, ("a", "c"): 1, ("c", "d"): 1}


def test_who_is_in_two_different_rows_is_in_no_crowd():
    assert wanted(rows=("abcd", "cgh")).crowds == (("a", "b"), ("g", "h"))


def test_a_crowd_of_which_only_some_are_waited_for_is_none():
    found = wanted(("ab", "xy"), rows=("abcd", "efg"))
    assert found.crowds == (("e", "f", "g"),)
    assert found.groups == {(("a", "b"), ("x", "y")): 1}
    assert found.pairs == {("a", "b"): 1, ("b", "c"): 1, ("c", "d"): 1}


def test_what_several_names_ask_is_counted():
    found = wanted(("x", "ab"), ("x", "ab"), ("x", "y"), rows=("ab", "ab", "cdy"))
    assert found.groups == {(("x",), ("a",)): 2}
    assert found.pairs == {("x", "y"): 1, ("c", "y"): 1}


def test_what_was_asked_before_makes_no_difference():
    edits = [
        {"groups": [("x", "abc"), ("abc", "y")], "rows": ("abc", "abc")},
        {"groups": [("x", "abc"), ("ab", "y")], "rows": ("abc", "abc")},
        {"groups": [("x", "abcd"), ("x", "c")], "rows": ("abcd",)},
        {"groups": [("x", "abcd"), ("x", "ab")], "rows": ("abcd",), "alike": {**ALIKE, "b": ("u",)}},
        {"groups": [("x", "abcd")], "rows": ("abcd",)},
    ]
    tables = None
    for edit in [*edits, *reversed(edits)]:
        groups, others = edit["groups"], {name: value for name, value in edit.items() if name != "groups"}
        parts = Parts(tables)
        assert wanted(*groups, **others, parts=parts) == wanted(*groups, **others)
        tables = parts.tables
