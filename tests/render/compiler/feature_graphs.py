"""Random valid graphs of any size with every feature of the compiler.

Nodes are made in a hidden order, and each name is used in the order of its life, so there is no cycle; labels, indices
and the order of declaration tell nothing about it. Broken and dangling nodes occur, errors do not.
"""

from __future__ import annotations

import random
from dataclasses import replace

from declare_helpers import graph, member, node, request
from feature_parts import FULL, Line, Live, Sketch, Speller

from renderwright.render.graph.requests import EVERY_FRAME, Rate, Verb
from renderwright.render.graph.snapshot import Chain, GraphSnapshot, ResolutionRule, SizeInputs
from renderwright.render.types.resources import Blob, Buffer, Resolution, ResourceDesc, Texture
from renderwright.render.types.usages import Usage

SIZES = SizeInputs((ResolutionRule("main", (320, 180)), ResolutionRule("half", of="main", scale=0.5)))
EXTENTS = (Resolution("main"), Resolution("main", 0.25), Resolution("half"), (64, 64))
COLORS = ("rgba8_unorm", "rgba16_sfloat", "r32_sfloat")
MODES = (frozenset[str](), frozenset({"view"}), frozenset({"eye"}), frozenset({"view", "eye"}))
SPACES = ("", "", "", "fx", "fx/deep", "ui")
RATES = (Rate(every=2), Rate(every=3, phase=1))
STATES = ((), (("cull", "back"),), (("blend", "alpha"), ("cull", "none")))
STORAGES = (Usage.STORAGE, Usage.STORAGE_WRITE)
BUFFER_READS = (Usage.UNIFORM, Usage.VERTEX, Usage.INDEX, Usage.INDIRECT, Usage.STORAGE_READ, Usage.COPY_SRC)


class FeatureGraph:
    """``snapshot`` is the graph; it is the same for the same arguments."""

    def __init__(self, seed: int, count: int) -> None:
        self.rng = random.Random(f"{seed} {count}")
        self.count = count
        self.lives: list[Live] = []
        self.lines: list[Line] = []
        self.sketches: list[Sketch] = []
        self.made = 0
        self.taken: set[str] = set()
        labels = self.rng.sample(range(count), count)
        for label in labels:
            space = self.rng.choice(SPACES)
            self._node(f"{space}/n{label:03}" if space else f"n{label:03}")
        self.snapshot = self._finish()

    # nodes ----------------------------------------------------------------------------------------------------------

    def _node(self, label: str) -> None:
        rng = self.rng
        mode = rng.choice([None, None, *MODES, MODES[0]])
        rate = rng.choice(RATES) if rng.random() < 0.12 else EVERY_FRAME
        sketch = Sketch(label, mode, rate)
        sketch.more = {
            "priority": rng.randrange(-1, 2),
            "index": rng.randrange(self.count),
            "sink": rng.random() < 0.1,
            "cost": rng.choice([0.5, 1.0, 8.0]),
            "state": rng.choice(STATES),
            "queues": rng.choice([("graphics",), ("compute", "graphics"), ("copy",)]),
        }
        kinds = [self._cpu, self._raster, self._raster, self._raster, self._compute, self._compute, self._copy]
        rng.choice([*kinds, self._member, self._order, self._outside])(sketch)
        if rng.random() < 0.1:
            self._ghost(sketch)
        self.sketches.append(sketch)

    def _cpu(self, sketch: Sketch) -> None:
        self._reads(sketch, 2, blobs_only=True)
        self._modify(sketch, blobs_only=True)
        self._rename(sketch, blobs_only=True)
        if self.rng.random() < 0.7 or not sketch.requests:
            self._create(sketch, Blob(self.rng.choice(["Camera", "Sun"])), None)

    def _raster(self, sketch: Sketch) -> None:
        rng = self.rng
        sketch.size = rng.choice(EXTENTS)
        for _ in range(rng.randrange(3)):
            self._modify(sketch)
        self._reads(sketch, 3)
        self._rename(sketch)
        self._condition(sketch)
        for _ in range(rng.choice([0, 1, 1, 2])):
            if rng.random() < 0.3 and not any(r.usage in (Usage.DEPTH, Usage.DEPTH_READ) for r in sketch.requests):
                self._create(sketch, Texture("d32_sfloat", sketch.size), Usage.DEPTH)
            else:
                self._create(sketch, Texture(rng.choice(COLORS), sketch.size), Usage.COLOR)

    def _compute(self, sketch: Sketch) -> None:
        rng = self.rng
        for _ in range(rng.randrange(2)):
            self._modify(sketch)
        self._reads(sketch, 3)
        self._rename(sketch)
        self._condition(sketch)
        for _ in range(rng.choice([0, 1, 1, 2])):
            if rng.random() < 0.4:
                self._create(sketch, Buffer(rng.choice([16, 256, 100_000])), rng.choice(STORAGES))
            else:
                size, mips = rng.choice(EXTENTS), rng.choice([1, 1, 3])
                self._create(sketch, Texture(rng.choice(COLORS), size, mips, rng.choice([1, 6])), rng.choice(STORAGES))

    def _copy(self, sketch: Sketch) -> None:
        for live in self._pick(lambda live: sketch.may(live) and isinstance(live.desc, Texture), 1):
            self._use(sketch, Verb.READ, live, Usage.COPY_SRC)
            self._mark_read(live)
            self._create(sketch, live.desc, Usage.COPY_DST)

    def _order(self, sketch: Sketch) -> None:
        sketch.more["executes"] = False
        self._rename(sketch, silent=True)

    def _outside(self, sketch: Sketch) -> None:
        desc = Buffer(4096) if self.rng.random() < 0.3 else Texture("bgra8_srgb", self.rng.choice(EXTENTS))
        name = self._new_name(sketch)
        sketch.requests.append(request(Verb.EXTERNAL, name, desc=desc))
        sketch.families.add(name)
        self.lives.append(Live(name, desc, sketch.modes, sketch.rate, name, external=True))

    def _member(self, sketch: Sketch) -> None:
        rng = self.rng
        open_lines = [line for line in self.lines if not line.closed and sketch.may(line.current)]
        if open_lines and rng.random() < 0.8:
            line = rng.choice(open_lines)
        else:
            starts = self._pick(lambda live: self._can_start(sketch, live), 1)
            if not starts:
                return self._raster(sketch)
            line = self._start(starts[0])
        sketch.line = line
        sketch.touch(line.current)
        sketch.families.add(line.family)
        self._mark_read(line.current)
        desc = None if rng.random() < 0.5 else Texture(rng.choice(COLORS), rng.choice(EXTENTS))
        whole = desc or line.current.desc
        assert isinstance(whole, Texture)
        if desc is None:  # it is like the chain's input, whatever the member before it makes
            whole = self._input_desc(line)
        self._reads(sketch, 1)
        after = bool(line.places) and rng.random() < 0.5
        line.places.append(rng.randrange(-5, 6) if after else min(line.places, default=6) - 1)
        # After all of them, not only the last: a member that leaves takes its place in the order with it, and the
        # others must read what they would have read, or something made before that.
        sketch.more["chain"] = (line.chain.name, desc, tuple(line.members) if after else (), line.places[-1])
        line.members.append(sketch.label)
        line.current = Live(
            f"{line.chain.name}/{sketch.label}", whole, sketch.modes, sketch.rate, line.family, lasting=True
        )
        self.lives.append(line.current)
        assert line.output is not None
        line.output.mode, line.output.desc = line.current.mode, line.current.desc

    def _can_start(self, sketch: Sketch, live: Live) -> bool:
        free = not any(line.chain.input == live.name for line in self.lines)
        color = isinstance(live.desc, Texture) and live.desc.format != "d32_sfloat"
        return sketch.may(live) and color and free and (live.output or live.family == live.name)

    def _start(self, live: Live) -> Line:
        number = len(self.lines)
        live.lasting = True
        line = Line(Chain(f"post{number}", live.name, f"end{number}"), live, live.family)
        self.lines.append(line)
        line.output = Live(f"end{number}", live.desc, live.mode, EVERY_FRAME, live.family, output=True)
        self.lives.append(line.output)
        return line

    def _input_desc(self, line: Line) -> Texture:
        """The description of the chain's input; of another chain's output, of what that begins with."""
        name = line.chain.input
        for other in self.lines:
            if other.chain.output == name:
                return self._ends(other)
        desc = next(live.desc for live in self.lives if live.name == name)
        assert isinstance(desc, Texture)
        return replace(desc, mips=1)

    def _ends(self, line: Line) -> Texture:
        assert line.output is not None
        assert isinstance(line.output.desc, Texture)
        return line.output.desc

    def _mark_read(self, live: Live) -> None:
        """Nobody modifies it from now on; who reads a chain's output comes after all members."""
        live.read = True
        for line in self.lines:
            if live is line.output:
                line.closed = True
                self._mark_read(line.current)

    # requests -------------------------------------------------------------------------------------------------------

    def _new_name(self, sketch: Sketch) -> str:
        space = sketch.label.rpartition("/")[0]
        self.made += 1
        short = f"r{self.made}"
        if space and self.rng.random() < 0.5:
            again = f"{space}/r{self.rng.randrange(1, self.made + 1)}"  # hides a name of the frame from its own nodes
            short = again if again not in self.taken and self.rng.random() < 0.3 else f"{space}/{short}"
        self.taken.add(short)
        return short

    def _pick(self, fits, most: int) -> list[Live]:
        """Some of the names that fit, recent ones rather."""
        recent = [live for live in self.lives[-25:] if fits(live)]
        return self.rng.sample(recent, min(len(recent), most))

    def _use(self, sketch: Sketch, verb: Verb, live: Live, usage: Usage | None, **more: object) -> None:
        name = FULL + live.name
        sketch.requests.append(request(verb, name, usage=usage, optional=self.rng.random() < 0.2, **more))
        sketch.touch(live, gather=verb is Verb.GATHER)

    def _create(self, sketch: Sketch, desc: ResourceDesc, usage: Usage | None) -> None:
        clears = isinstance(desc, Texture) and (self.rng.random() < 0.3 or desc.mips > 1)  # readers read all mips
        name = self._new_name(sketch)
        clear = (0.0, 0.0, 0.0, 0.0) if clears else None
        sketch.requests.append(request(Verb.CREATE, name, desc=desc, usage=usage, clear=clear))
        sketch.families.add(name)
        live = Live(name, desc, frozenset(), sketch.rate, name)
        sketch.more.setdefault("creates", []).append(live)
        self.lives.append(live)
        self._settle(sketch)
        if usage is not None and sketch.rate == EVERY_FRAME and self.rng.random() < 0.1:  # its own history
            reading = Usage.STORAGE_READ if isinstance(desc, Buffer) else Usage.SAMPLED
            live.lasting = live.read = True  # it orders like a read, so nobody modifies what it is the history of
            sketch.requests.append(request(Verb.HISTORY, FULL + name, usage=reading))

    def _settle(self, sketch: Sketch) -> None:
        """What a node creates has its mode, also an inferred one."""
        for live in sketch.more.get("creates", ()):
            live.mode = sketch.modes

    def _reading(self, sketch: Sketch, desc: ResourceDesc, *, attach: bool = True) -> Usage | None:
        if isinstance(desc, Blob):
            return None
        if isinstance(desc, Buffer):
            return self.rng.choice(BUFFER_READS)
        depth = desc.format == "d32_sfloat"
        usages = [Usage.SAMPLED] if depth else [Usage.SAMPLED, Usage.SAMPLED, Usage.STORAGE_READ, Usage.COPY_SRC]
        others = any(r.usage in (Usage.DEPTH, Usage.DEPTH_READ) for r in sketch.requests)
        if attach and depth and sketch.size == desc.size and not others:
            usages.append(Usage.DEPTH_READ)
        return self.rng.choice(usages)

    def _reads(self, sketch: Sketch, most: int, *, blobs_only: bool = False) -> None:
        rng = self.rng
        for live in self._pick(lambda live: not blobs_only or isinstance(live.desc, Blob), rng.randint(0, most)):
            if live.family in sketch.families:
                continue
            past = live.rate == EVERY_FRAME and not live.external and not live.output
            if not sketch.may(live) or rng.random() < 0.1:
                self._use(sketch, Verb.GATHER, live, self._reading(sketch, live.desc, attach=False))
            elif past and rng.random() < 0.15:
                live.lasting = True
                self._use(sketch, Verb.HISTORY, live, self._reading(sketch, live.desc, attach=False))
            else:
                self._use(sketch, Verb.READ, live, self._reading(sketch, live.desc))
            self._mark_read(live)

    def _writing(self, sketch: Sketch, desc: ResourceDesc) -> Usage | None:
        if isinstance(desc, Blob):
            return None
        depth = isinstance(desc, Texture) and desc.format == "d32_sfloat"
        if isinstance(desc, Texture) and sketch.size == desc.size and desc.mips == desc.layers == 1:
            return Usage.DEPTH if depth else Usage.COLOR
        return Usage.COPY_DST if depth else self.rng.choice(STORAGES)

    def _can_write(self, sketch: Sketch, live: Live, blobs_only: bool) -> bool:
        kind = isinstance(live.desc, Blob) == blobs_only
        rated = live.rate == sketch.rate and not (live.external and sketch.rate != EVERY_FRAME)
        depths = any(r.usage in (Usage.DEPTH, Usage.DEPTH_READ) for r in sketch.requests)
        crowd = depths and isinstance(live.desc, Texture) and live.desc.format == "d32_sfloat"
        return sketch.may(live) and kind and rated and not live.output and not crowd

    def _modify(self, sketch: Sketch, *, blobs_only: bool = False) -> None:
        for live in self._pick(lambda live: self._can_write(sketch, live, blobs_only) and not live.read, 1):
            self._use(sketch, Verb.MODIFY, live, self._writing(sketch, live.desc))
            self._settle(sketch)

    def _rename(self, sketch: Sketch, *, blobs_only: bool = False, silent: bool = False) -> None:
        if self.rng.random() < 0.7:
            return
        for live in self._pick(lambda live: self._can_write(sketch, live, blobs_only) and not live.lasting, 1):
            usage = None if silent or self.rng.random() < 0.3 else self._writing(sketch, live.desc)
            to = self._new_name(sketch)
            self._use(sketch, Verb.RENAME, live, usage, to=to)
            self.lives.remove(live)
            self.lives.append(replace(live, name=to, read=False))

    def _condition(self, sketch: Sketch) -> None:
        """Let the node run when a blob changes."""
        if sketch.rate != EVERY_FRAME or sketch.requests or self.rng.random() < 0.6:
            return
        for live in self._pick(lambda live: isinstance(live.desc, Blob) and sketch.may(live), 1):
            sketch.requests.append(request(Verb.READ, f"/{live.name}"))
            sketch.touch(live)
            self._mark_read(live)
            sketch.rate = Rate(when=f"/{live.name}")

    def _ghost(self, sketch: Sketch) -> None:
        """Something that nobody creates; a node that cannot do without it is broken."""
        optional = self.rng.random() < max(0.6, 1 - 4 / self.count)
        verb = self.rng.choice([Verb.READ, Verb.MODIFY, Verb.GATHER, Verb.HISTORY])
        name = f"ghost{self.rng.randrange(5)}"
        if name not in sketch.families:
            sketch.families.add(name)
            usage = Usage.STORAGE if verb is Verb.MODIFY else Usage.SAMPLED
            if all(one.usage is None for one in sketch.requests):  # it makes blobs, perhaps, and must not use the GPU
                usage = None
            sketch.requests.append(request(verb, name, usage=usage, optional=optional))

    # the whole ------------------------------------------------------------------------------------------------------

    def _finish(self) -> GraphSnapshot:
        rng = self.rng
        slots = self._slots()
        spelt = Speller(self.rng, self._known(slots), dict(slots))
        orders = self._orders()
        nodes = []
        for sketch in self.sketches:
            more = dict(sketch.more)
            chain = more.pop("chain", None)
            more.pop("creates", None)
            before, after = orders.get(sketch.label, ((), ()))
            requests = [spelt.request(sketch.label, one) for one in sketch.requests]
            if chain is None:
                made = node(sketch.label, *requests, before=before, after=after, rate=sketch.rate, **more)
            else:
                name, desc, first, priority = chain
                own_priority = more.pop("priority")
                place = {"desc": desc, "after": first, "priority": priority}
                made = member(sketch.label, name, *requests, **place, rate=sketch.rate, **more)
                both = (replace(made.requests[0], usage=Usage.SAMPLED), replace(made.requests[1], usage=Usage.COLOR))
                made = replace(
                    made,
                    requests=(*both, *made.requests[2:]),
                    before=before,
                    after=after,
                    priority=own_priority,  # the node's own, beside that in the chain
                )
            nodes.append(replace(made, multiplex=sketch.mode))
        rng.shuffle(nodes)
        names = sorted({live.name for live in self.lives})
        sinks = tuple(rng.sample(names, min(len(names), rng.randint(1, 3 + self.count // 15))))
        return graph(
            *nodes,
            slots=tuple(slots),
            chains=tuple(line.chain for line in self.lines),
            sinks=sinks,
            counts=(("view", rng.randint(1, 3)), ("eye", rng.choice([1, 2]))),
        )

    def _known(self, slots: list[tuple[str, str]]) -> set[str]:
        """Every name that there is."""
        known = {one.creates for sketch in self.sketches for one in sketch.requests}
        return known | {slot for slot, _ in slots} | {line.chain.output for line in self.lines}

    def _slots(self) -> list[tuple[str, str]]:
        names = [live.name for live in self.lives]
        slots = [(f"slot{n}", name) for n, name in enumerate(self.rng.sample(names, min(len(names), 4)))]
        if slots:
            slots.append(("slot_of_slot", slots[0][0]))
        return slots

    def _orders(self) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        """before/after of some nodes, later ones in the hidden order after earlier ones."""
        rng = self.rng
        orders: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        extremes = (MODES[0], MODES[-1])
        for _ in range(self.count // 2):
            first, second = sorted(rng.sample(range(self.count), 2)) if self.count > 1 else (0, 0)
            one, other = self.sketches[first], self.sketches[second]
            if first == second or not (one.mode in extremes or other.mode in extremes):
                continue
            label, target = (one.label, other.label) if rng.random() < 0.5 else (other.label, one.label)
            before, after = orders.get(label, ((), ()))
            orders[label] = ((*before, target), after) if label == one.label else (before, (*after, target))
        return orders


def feature_graph(seed: int, count: int) -> GraphSnapshot:
    """A graph of ``count`` nodes."""
    return FeatureGraph(seed, count).snapshot
