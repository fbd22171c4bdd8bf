"""Masks and queue families that are wrong whatever they order."""

from __future__ import annotations

import pytest
from stream_script import READ_ONLY, Script, dependency, use, wait

from renderwright.render.sync.oracle import Kind
from renderwright.render.sync.oracle.names import ACCESSES, STAGES
from renderwright.render.sync.oracle.supported import unsupported

COMPUTE = "COMPUTE_SHADER"
FRAGMENT = "FRAGMENT_SHADER"
STORE = "SHADER_STORAGE_WRITE"
LOAD = "SHADER_STORAGE_READ"
SAMPLE = "SHADER_SAMPLED_READ"

UNSUPPORTED = {Kind.UNSUPPORTED_ACCESS}


@pytest.mark.parametrize(
    ("stages", "access", "problem"),
    [
        ("COPY", "SHADER_SAMPLED_READ", "COPY does not perform SHADER_SAMPLED_READ"),
        ("CLEAR", "TRANSFER_READ", "CLEAR does not perform TRANSFER_READ"),
        ("CLEAR", "TRANSFER_WRITE", ""),
        ("ALL_TRANSFER", "TRANSFER_READ", ""),
        ("COMPUTE_SHADER", "COLOR_ATTACHMENT_WRITE", "COMPUTE_SHADER does not perform COLOR_ATTACHMENT_WRITE"),
        ("ALL_GRAPHICS", "DEPTH_STENCIL_ATTACHMENT_WRITE", ""),
        ("ALL_COMMANDS", "HOST_READ", "ALL_COMMANDS does not perform HOST_READ"),
        ("VERTEX_INPUT", "INDEX_READ", ""),
        ("TOP_OF_PIPE", "MEMORY_READ", "TOP_OF_PIPE performs no access, but MEMORY_READ is named"),
        ("HOST", "MEMORY_WRITE", ""),
        ("", "UNIFORM_READ", "NONE does not perform UNIFORM_READ"),
    ],
)
def test_stages_and_accesses(stages: str, access: str, problem: str) -> None:
    mask = sum(STAGES[name] for name in stages.split("|")) if stages else 0
    assert unsupported(mask, ACCESSES[access]) == problem


def test_every_access_has_a_stage_and_none_has_all() -> None:
    single = [bit for name, bit in STAGES.items() if not name.startswith(("ALL_", "TOP_", "BOTTOM_"))]
    for name, access in ACCESSES.items():
        performing = [bit for bit in single if not unsupported(bit, access)]
        assert performing
        assert name.startswith("MEMORY_") or len(performing) < len(single)


def test_accesses_of_commands() -> None:
    script = Script().buffer("b").work(use("b", "COPY", STORE))
    (finding,) = script.report().findings
    assert finding.kind is Kind.UNSUPPORTED_ACCESS
    assert finding.resource == "b"
    assert "COMPUTE_SHADER" in finding.remedy
    assert Script().buffer("b").work(use("b", "", STORE)).kinds() == UNSUPPORTED
    assert Script().buffer("b").work(use("b", "HOST", "HOST_WRITE")).kinds() == UNSUPPORTED


@pytest.mark.parametrize("half", ["source", "destination"])
def test_scopes_of_barriers(half: str) -> None:
    wrong = ("COPY", STORE, COMPUTE, LOAD) if half == "source" else (COMPUTE, STORE, "COPY", LOAD)
    assert Script().buffer("b").barrier(dependency(*wrong)).kinds() >= UNSUPPORTED
    assert Script().buffer("b").barrier(dependency(*wrong, "b")).kinds() >= UNSUPPORTED
    assert Script().buffer("b").begin().set("e", dependency(*wrong)).kinds() >= UNSUPPORTED


def test_a_family_without_a_queue() -> None:
    change = dependency(COMPUTE, STORE, FRAGMENT, SAMPLE, "i", READ_ONLY, READ_ONLY, families=(0, 7))
    script = Script(graphics=0, copies=2).image("i", layout=READ_ONLY, content="defined").barrier(change)
    (finding,) = script.report().findings
    assert finding.kind is Kind.MISSING_OWNERSHIP
    assert "no queue has family 7" in finding.message


def test_a_transfer_out_of_the_device() -> None:
    external = 0xFFFF_FFFE
    change = dependency(COMPUTE, STORE, "", "", "i", READ_ONLY, READ_ONLY, families=(0, external))
    script = Script().image("i", layout=READ_ONLY, content="defined").semaphore("t").barrier(change)
    assert script.submit(signals=(wait("t", 1),)).clean()
