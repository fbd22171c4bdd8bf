from __future__ import annotations

from collections.abc import Iterator

import pytest
from vulkan_memory_stories import STORIES, Stage

pytestmark = pytest.mark.vulkan


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    stage = Stage(tmp_path_factory.mktemp("shaders"))
    yield stage
    stage.close()


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
@pytest.mark.parametrize("story", STORIES)
def test_every_failed_allocation_ends_well(stage: Stage, story: str, lasting: bool) -> None:
    failed = [stage.tell(story, number, lasting=lasting) for number in range(stage.calls[story])]
    assert len(failed) >= 10
    assert {"vkAllocateMemory", "vkCreateImage", "vkCreateImageView"} <= set(failed)
