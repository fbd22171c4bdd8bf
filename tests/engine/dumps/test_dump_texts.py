"""Dumps as the command line names them."""

from pathlib import Path

import pytest

from renderwright.engine.dumps.dump import EXAMPLE, Dump, dump_from
from renderwright.render.errors import UsageError


def test_a_resource_alone_is_the_last_frame_after_its_last_writer() -> None:
    assert dump_from("post_hdr/bloom/combine:out/light.npy") == Dump("post_hdr/bloom/combine", Path("out/light.npy"))


def test_all_keys() -> None:
    dump = dump_from("sun@view=1,eye=0,sample=3,after=shadows/fit,frame=30,mip=2,layer=4:a.EXR")
    index = (("eye", 0), ("sample", 3), ("view", 1))
    assert dump == Dump("sun", Path("a.EXR"), "shadows/fit", 30, index, mip=2, layer=4)
    assert dump.format == ".exr"


def test_the_example_is_one() -> None:
    assert dump_from(EXAMPLE).after == "gbuffer"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("depth.png", "is not a dump", "RESOURCE"),
        ("depth@:a.png", "is not a dump", "RESOURCE"),
        (":a.png", "is not a dump", "RESOURCE"),
        ("depth:", "is not a dump", "RESOURCE"),
        ("depth:a.jpg", "cannot be saved", ".png, .npy, .exr"),
        ("depth@vew=1:a.png", '"vew=1"', 'did you mean "view"?'),
        ("depth@view=-1:a.png", '"view=-1"', "view is a number from 0 on"),
        ("depth@frame:a.png", '"frame"', "frame is a number"),
        ("depth@after=:a.png", '"after="', ""),
    ],
)
def test_mistakes_are_named(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        dump_from(text)
    assert message in caught.value.message
    assert hint in caught.value.hint
