"""Random skeleton files: ones that follow the grammar of the format with some words wrong, and edits of real ones."""

from __future__ import annotations

import json
import random
from typing import Any

from renderwright.engine.skeleton import find_skeleton
from renderwright.render.formats import FORMATS
from renderwright.render.types.usages import ShaderStage, Usage

BASES = tuple(find_skeleton(name).read_bytes() for name in ("deferred", "forward"))
NAMES = ("a", "b", "c", "d", "hdr", "depth", "image", "camera", "final", "fx/a", "/b", "post/n1", "slot")
NODES = tuple(f"n{number}" for number in range(8))
DIMENSIONS = ("view", "eye", "sample", "tile")
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 1e300, -0.0, 10**39, "", " ", "x" * 300, "no", "é", "😀", "a b", [], {}, [[]], {"a": {}},
    "@", "null", "1e3", "size", ["view", "view"],
)  # fmt: skip
TOKENS = (
    b"[] {} - : ? * & ! !!python/object:os.system | > ' \" # %YAML --- ... << ~ no 1e3 .inf .nan 0x1 0o7 \t \\ \n \r "
    b"\xff \xc3\xa4 \x00 \xe2\x80\xa8 \xef\xbb\xbf 9999999999999999999999999999999999999999999 &a *a ,, }{ ][ "
    b"${x} 1:2:3 {a: b} [1,2] !!binary 2001-01-01 = << \x85 \xf0\x9f\x98\x80"
).split(b" ")


class FileMaker:
    """Makes the bytes of one file."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.wrongness = self.rng.choice((0.0, 0.0, 0.01, 0.05))

    def content(self) -> bytes:
        """The file: made by the grammar, or a real file, and edited or not."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.65:
            text = self.grammar()
            return text if rng.random() < 0.8 else self.edited(text)
        if kind < 0.97:
            return self.edited(rng.choice(BASES))
        return self.deep()

    def grammar(self) -> bytes:
        """A file of the right shape, mostly."""
        whole = self.maybe_odd(
            {
                "version": 1,
                **self.some(0.3, "name", lambda: "fuzz"),
                **self.some(0.2, "dimensions", lambda: list(DIMENSIONS[: self.rng.randint(0, 4)])),
                "resolutions": {"main": self.rng.choice([{"of": "output", "scale": 0.5}, {"size": [64, 32]}])},
                **self.some(0.5, "slots", lambda: {self.name(): self.name() for _ in range(self.rng.randint(0, 2))}),
                **self.some(0.6, "chains", self.chains),
                "sinks": [self.name() for _ in range(self.rng.randint(0, 3))],
                "nodes": [self.node(number) for number in range(self.rng.randint(0, 9))],
            }
        )
        if self.rng.random() < 0.3:
            return json.dumps(whole, indent=self.rng.choice([None, 1]), ensure_ascii=False).encode()
        return self.block(whole, 0).encode()

    def maybe_odd(self, value: Any) -> Any:
        """The value, with a word here and there replaced, doubled or left out."""
        rng = self.rng
        if rng.random() < self.wrongness:
            return rng.choice(ODD)
        if isinstance(value, dict):
            result = {key: self.maybe_odd(item) for key, item in value.items()}
            if result and rng.random() < self.wrongness:
                key = rng.choice(list(result))
                result[key + rng.choice(["s", "x", ""])] = result.pop(key)
            return result
        return [self.maybe_odd(item) for item in value] if isinstance(value, list) else value

    def some(self, chance: float, key: str, make: Any) -> dict[str, Any]:
        return {key: make()} if self.rng.random() < chance else {}

    def name(self) -> str:
        return self.rng.choice(NAMES)

    def nodes(self) -> list[str]:
        return [self.rng.choice(NODES) for _ in range(self.rng.choice([0, 0, 1, 2]))]

    def chains(self) -> dict[str, Any]:
        names = ("post", "last")[: self.rng.randint(1, 2)]
        return {name: {"input": self.name(), "output": self.name()} for name in names}

    def node(self, number: int) -> dict[str, Any]:
        rng = self.rng
        make = {"create": self.made, "external": self.made, "modify": self.used, "read": self.read}
        make |= {"history": self.history, "rename": self.renamed, "gather": self.read}
        space = rng.choice(["", "", "", "fx/", "fx/deep/"])
        return {
            "name": f"{space}{NODES[number % len(NODES)]}" if number < len(NODES) else f"more{number}",
            **self.some(0.4, "multiplex", lambda: rng.sample(DIMENSIONS, rng.randint(0, 2))),
            **self.some(0.2, "priority", lambda: rng.randint(-2, 2)),
            **self.some(0.2, "queue", lambda: rng.sample(["graphics", "compute", "copy"], rng.randint(1, 3))),
            **self.some(0.2, "cost", lambda: rng.choice([0.0, 1, 2.5])),
            **self.some(0.3, "before", self.nodes),
            **self.some(0.3, "after", self.nodes),
            **self.some(0.2, "side_effects", lambda: rng.random() < 0.7),
            **self.some(0.15, "every", lambda: rng.randint(1, 4)),
            **self.some(0.05, "phase", lambda: rng.randint(0, 3)),
            **self.some(0.1, "when", self.name),
            **self.some(0.3, "state", lambda: {"cull": rng.choice(["back", "none", 3, [1, 2]])}),
            **{
                verb: {self.name(): entry() for _ in range(rng.randint(1, 2))}
                for verb, entry in make.items()
                if rng.random() < (0.7 if verb == "create" else 0.3)
            },
            **self.some(0.25, "chain", lambda: {rng.choice(["post", "last"]): self.place()}),
        }

    def place(self) -> dict[str, Any]:
        return {
            **self.some(0.4, "before", self.nodes),
            **self.some(0.4, "after", self.nodes),
            **self.some(0.4, "priority", lambda: self.rng.randint(-1, 1)),
        }

    def made(self) -> dict[str, Any]:
        rng = self.rng
        kind = rng.random()
        if kind < 0.2:
            return {"blob": rng.choice(["Camera", "Sun"])}
        if kind < 0.4:
            return {"buffer": rng.choice([1, 100, 65536, 1 << 40]), "usage": rng.choice(["storage", "storage_write"])}
        depth = rng.random() < 0.3
        size = rng.choice([{"resolution": "main"}, {"resolution": "output", "scale": 0.3}, {"size": [16, 16384]}])
        return {
            "texture": "d32_float" if depth else rng.choice(list(FORMATS)),
            **size,
            "usage": "depth" if depth else rng.choice(["color", "color", "storage_write", "copy_dst"]),
            **self.some(0.2, "mips", lambda: rng.randint(1, 15)),
            **self.some(0.1, "layers", lambda: rng.choice([1, 6, 2048])),
            **self.some(0.1, "samples", lambda: rng.choice([1, 4, 64])),
            **self.some(0.2, "clear", lambda: 0.0 if depth else [0, 0, 0, 1]),
        }

    def used(self) -> dict[str, Any]:
        if self.rng.random() < 0.2:
            return {"blob": self.rng.choice(["Camera", "Sun"])}
        return {"usage": self.rng.choice(list(Usage)).value, **self.more()}

    def read(self) -> dict[str, Any]:
        if self.rng.random() < 0.2:
            return {"blob": "Camera"}
        return {"usage": self.rng.choice(["sampled", "sampled", "storage_read", "uniform", "copy_src"]), **self.more()}

    def history(self) -> dict[str, Any]:
        return {**self.read(), **self.some(0.5, "first", lambda: self.rng.choice(["clear", "discard", "invalid"]))}

    def renamed(self) -> dict[str, Any]:
        return {**self.used(), "to": self.name()}

    def more(self) -> dict[str, Any]:
        return {
            **self.some(0.3, "stage", lambda: self.rng.choice(list(ShaderStage)).value),
            **self.some(0.3, "optional", lambda: self.rng.random() < 0.5),
        }

    def block(self, value: Any, depth: int) -> str:
        """YAML in blocks near the root, in JSON's notation further in."""
        if depth > 1 + self.rng.randrange(3) or not value or not isinstance(value, dict | list):
            return json.dumps(value, ensure_ascii=self.rng.random() < 0.5)
        pad = "\n" + "  " * depth
        if isinstance(value, dict):
            return "".join(f"{pad}{json.dumps(key)}: {self.block(item, depth + 1)}" for key, item in value.items())
        return "".join(f"{pad}- {self.block(item, depth + 1)}" for item in value)

    def edited(self, base: bytes) -> bytes:
        """A few random edits."""
        rng = self.rng
        text = bytearray(base)
        for _ in range(rng.randint(1, 6)):
            start = rng.randrange(len(text) + 1)
            end = min(len(text), start + rng.choice((0, 1, 3, 12, 60, 400)))
            match rng.randrange(6):
                case 0:
                    text[start:end] = b""
                case 1:
                    text[start:start] = rng.choice(TOKENS)
                case 2:
                    text[start:end] = rng.choice(TOKENS)
                case 3:
                    text[start:start] = text[start:end] * rng.randint(1, 3)
                case 4:
                    other = rng.choice(BASES)
                    text[start:end] = other[start % len(other) :][: rng.choice((10, 100))]
                case _:
                    text[start:end] = rng.randbytes(rng.randint(1, 3))
        return bytes(text)

    def deep(self) -> bytes:
        """Nested, long or large beyond what is allowed."""
        number = self.rng.choice([30, 33, 1000, 100_000])
        opening, closing = self.rng.choice([(b"[", b"]"), (b"{a: ", b"}"), (b"- ", b""), (b"? ", b""), (b"a: ", b"")])
        return b"version: 1\nnodes: " + opening * number + b"1" + closing * self.rng.choice([0, number])
