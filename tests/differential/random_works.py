"""Random works: dispatches, draws, copies, blits and clears of parts of resources."""

from __future__ import annotations

import random
from dataclasses import dataclass

from cell_states import CELL, Cells, Want

from renderwright.render.sync.oracle.names import ACCESSES, STAGES
from renderwright.render.sync.oracle.stream import WHOLE, Access, Attachment, Range

_OUTPUT = STAGES["COLOR_ATTACHMENT_OUTPUT"]
_TESTS = STAGES["EARLY_FRAGMENT_TESTS"] | STAGES["LATE_FRAGMENT_TESTS"]
_BUFFER = {
    "UNIFORM_READ": 0.25,
    "SHADER_STORAGE_READ": 0.25,
    "SHADER_STORAGE_WRITE": 0.25,
    "SHADER_STORAGE_READ|SHADER_STORAGE_WRITE": 0.25,
}
_IMAGE = {
    "SHADER_SAMPLED_READ": 0.5,
    "SHADER_STORAGE_READ": 0.15,
    "SHADER_STORAGE_WRITE": 0.2,
    "SHADER_STORAGE_READ|SHADER_STORAGE_WRITE": 0.15,
}
_RARELY = 0.01


@dataclass(frozen=True)
class RandomWork:
    """A work as a stream has it, and all that it accesses, attachments too."""

    name: str
    accesses: tuple[Access, ...]
    wants: tuple[Want, ...]
    attachments: tuple[Attachment, ...] = ()
    blends: bool = False
    depth: str = "write"


@dataclass(frozen=True)
class _Known:
    name: str
    kind: str
    mips: int
    layers: int
    size: int


class WorkChooser:
    """Chooses works that read, almost always, only what holds something."""

    def __init__(self, rng: random.Random, cells: Cells) -> None:
        self._rng = rng
        self._cells = cells
        self._all: list[_Known] = []
        self._taken: set[str] = set()

    def add(self, name: str, kind: str, mips: int, layers: int, size: int) -> None:
        """A resource to choose from: kind is image, depth or buffer."""
        self._all.append(_Known(name, kind, mips, layers, size))

    def choose(self) -> RandomWork | None:
        """A work, or None if the dice want one that is not possible."""
        self._taken = set()
        made = self._rng.choices([self._dispatch, self._draw, self._copy, self._blit, self._clear], [4, 4, 2, 1, 2])[
            0
        ]()
        if made is None:
            return None
        for want in made.wants:
            if want.reads and not want.overwrites and not self._cells.readable(want) and self._rng.random() > _RARELY:
                return None
        if self._overlap(made.wants):
            return None
        return made

    def _overlap(self, wants: tuple[Want, ...]) -> bool:
        """Whether two accesses touch common bytes."""
        cells = [(number, cell) for number, want in enumerate(wants) for cell in self._cells.cells(want)]
        for number, one in cells:
            for other_number, other in cells:
                if number < other_number and one is other:
                    return True
                shares = one.interval[1] < other.interval[2] and other.interval[1] < one.interval[2]
                if number < other_number and shares and one.resource != other.resource:
                    return True
        return False

    # parts ----------------------------------------------------------------------------------------------------------

    def _pick(self, *kinds: str) -> _Known | None:
        free = [one for one in self._all if one.kind in kinds and one.name not in self._taken]
        if not free:
            return None
        one = self._rng.choice(free)
        self._taken.add(one.name)
        return one

    def _part(
        self, one: _Known, *, one_mip: bool = False, one_layer: bool = False, one_cell: bool = False
    ) -> tuple[Range, tuple[tuple[int, int], ...]]:
        rng = self._rng
        if one.kind == "buffer":
            count = one.size // CELL
            if count == 1 or (rng.random() < 0.6 and not one_cell):
                return WHOLE, tuple((at, -1) for at in range(count))
            at = rng.randrange(count)
            return Range(offset=at * CELL, size=CELL), ((at, -1),)
        mips, layers = (0, one.mips), (0, one.layers)
        if one_mip or rng.random() < 0.3:
            mips = (rng.randrange(one.mips), 1)
        if one_layer or rng.random() < 0.3:
            layers = (rng.randrange(one.layers), 1)
        keys = tuple((mip, layer) for mip in range(mips[0], sum(mips)) for layer in range(layers[0], sum(layers)))
        part = Range(mips=mips, layers=layers)
        return (WHOLE if part == Range((0, one.mips), (0, one.layers)) else part), keys

    def _layout(self, one: _Known, keys: tuple[tuple[int, int], ...], best: str) -> str:
        if one.kind == "buffer":
            return ""
        general = all(self._cells.of[one.name][key].layout == "GENERAL" for key in keys)
        return "GENERAL" if self._rng.random() < (0.7 if general else 0.1) else best

    def _want(self, one: _Known, stage: str, access: str, best: str = "", **more: bool) -> Want:
        sizes = {name: more.pop(name) for name in ("one_mip", "one_layer", "one_cell") if name in more}
        part, keys = self._part(one, **sizes)
        masks = sum(STAGES[name] for name in stage.split("|")), sum(ACCESSES[name] for name in access.split("|"))
        return Want(one.name, keys, part, *masks, self._layout(one, keys, best), **more)

    def _shader(self, stage: str) -> Want | None:
        one = self._pick("image", "depth", "buffer")
        if one is None:
            return None
        table = _BUFFER if one.kind == "buffer" else _IMAGE
        access = self._rng.choices(list(table), list(table.values()))[0]
        if one.kind == "depth":
            access = "SHADER_SAMPLED_READ"
        if access == "SHADER_SAMPLED_READ":
            best = "SHADER_READ_ONLY_OPTIMAL"
            if one.kind == "depth":
                best = self._rng.choice([best, "DEPTH_READ_ONLY_OPTIMAL", "DEPTH_STENCIL_READ_ONLY_OPTIMAL"])
            return self._want(one, stage, access, best)
        return self._want(one, stage, access, "GENERAL", one_mip=True)

    def _input(self, stage: str, access: str) -> Want | None:
        one = self._pick("buffer")
        return self._want(one, stage, access, one_cell=True) if one is not None else None

    # works ----------------------------------------------------------------------------------------------------------

    def _dispatch(self) -> RandomWork | None:
        wants = [self._shader("COMPUTE_SHADER") for _ in range(self._rng.choice([1, 1, 2, 2]))]
        if self._rng.random() < 0.1:
            wants.append(self._input("DRAW_INDIRECT", "INDIRECT_COMMAND_READ"))
        return _work("dispatch", [want for want in wants if want is not None])

    def _draw(self) -> RandomWork | None:
        rng = self._rng
        blends, layered = rng.random() < 0.3, rng.random() < 0.3
        depth_use = rng.choice(["write", "write", "read", "none"])
        attachments, wants = [], []
        for kind in rng.choice([["image"], ["image"], ["image", "image"], ["depth"], ["image", "depth"]]):
            one = self._pick(kind)
            if one is None or (one.layers > 1 and layered and attachments):
                return None
            made = self._attachment(one, blends, depth_use, whole=layered and not attachments)
            attachments.append(made[0])
            wants.append(made[1])
        uses = []
        if rng.random() < 0.4:
            uses.append(self._shader("FRAGMENT_SHADER"))
        if rng.random() < 0.2:
            uses.append(self._shader("VERTEX_SHADER"))
        for stage, access in (
            ("VERTEX_ATTRIBUTE_INPUT", "VERTEX_ATTRIBUTE_READ"),
            ("INDEX_INPUT", "INDEX_READ"),
            ("DRAW_INDIRECT", "INDIRECT_COMMAND_READ"),
        ):
            if rng.random() < 0.12:
                uses.append(self._input(stage, access))
        used = [want for want in uses if want is not None]
        accesses = tuple(map(_access, used))
        return RandomWork("draw", accesses, (*wants, *used), tuple(attachments), blends, depth_use)

    def _attachment(self, one: _Known, blends: bool, depth_use: str, *, whole: bool) -> tuple[Attachment, Want]:
        rng = self._rng
        color = one.kind == "image"
        load = rng.choice(["load", "clear", "clear", "dont_care"])
        store = rng.choice(["store", "store", "store", "dont_care"])
        best = "COLOR_ATTACHMENT_OPTIMAL"
        if not color:
            best = rng.choice(["DEPTH_STENCIL_ATTACHMENT_OPTIMAL", "DEPTH_ATTACHMENT_OPTIMAL"])
        reads = "COLOR_ATTACHMENT_READ" if color else "DEPTH_STENCIL_ATTACHMENT_READ"
        writes = "COLOR_ATTACHMENT_WRITE" if color else "DEPTH_STENCIL_ATTACHMENT_WRITE"
        if not color and depth_use == "read" and rng.random() < 0.6:
            load, store = "load", "none"
            best = rng.choice(["DEPTH_READ_ONLY_OPTIMAL", "DEPTH_STENCIL_READ_ONLY_OPTIMAL"])
            writes = reads
        mip, layers = rng.randrange(one.mips), (0, one.layers) if whole else (rng.randrange(one.layers), 1)
        part = Range((mip, 1), layers)
        keys = tuple((mip, layer) for layer in range(layers[0], sum(layers)))
        access = ACCESSES[writes]
        if load == "load" or (color and blends) or (not color and depth_use in ("read", "write")):
            access |= ACCESSES[reads]
        layout = self._layout(one, keys, best)
        want = Want(
            one.name,
            keys,
            part,
            _OUTPUT if color else _TESTS,
            access,
            layout,
            overwrites=load != "load",
            drops=store == "dont_care",
        )
        return Attachment(one.name, "color" if color else "depth", layout, load, store, part), want

    def _copy(self) -> RandomWork | None:
        source, target = self._pick("image", "buffer"), self._pick("image", "buffer")
        if source is None or target is None:
            return None
        wants = []
        for one, access, best in (
            (source, "TRANSFER_READ", "TRANSFER_SRC_OPTIMAL"),
            (target, "TRANSFER_WRITE", "TRANSFER_DST_OPTIMAL"),
        ):
            wants.append(self._want(one, "COPY", access, best, one_mip=True, one_layer=True))
        kinds = {source.kind, target.kind}
        if kinds == {"buffer"} and len(wants[0].keys) != len(wants[1].keys):
            return None
        if kinds == {"image"} and wants[0].keys[0][0] != wants[1].keys[0][0]:
            return None
        if len(kinds) == 2 and any(len(want.keys) > 1 for want in wants):
            return None
        return _work("copy", wants)

    def _blit(self) -> RandomWork | None:
        source = self._pick("image")
        if source is None:
            return None
        if source.mips > 1 and self._rng.random() < 0.6:
            mip = self._rng.randrange(source.mips - 1)
            made = []
            for at, access, best in ((mip, "READ", "SRC"), (mip + 1, "WRITE", "DST")):
                keys = ((at, 0),)
                layout = self._layout(source, keys, f"TRANSFER_{best}_OPTIMAL")
                masks = STAGES["BLIT"], ACCESSES[f"TRANSFER_{access}"]
                made.append(Want(source.name, keys, Range((at, 1), (0, 1)), *masks, layout))
            return _work("blit", made)
        target = self._pick("image")
        if target is None:
            return None
        ends = {"one_mip": True, "one_layer": True}
        return _work(
            "blit",
            [
                self._want(source, "BLIT", "TRANSFER_READ", "TRANSFER_SRC_OPTIMAL", **ends),
                self._want(target, "BLIT", "TRANSFER_WRITE", "TRANSFER_DST_OPTIMAL", **ends),
            ],
        )

    def _clear(self) -> RandomWork | None:
        one = self._pick("image", "depth", "buffer")
        if one is None:
            return None
        return _work("clear", [self._want(one, "CLEAR", "TRANSFER_WRITE", "TRANSFER_DST_OPTIMAL", overwrites=True)])


def _access(want: Want) -> Access:
    return Access(want.resource, want.stages, want.access, want.layout, want.part)


def _work(name: str, wants: list[Want]) -> RandomWork | None:
    return RandomWork(name, tuple(map(_access, wants)), tuple(wants)) if wants else None
