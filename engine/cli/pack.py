"""``renderwright pack``: pack a memory problem from a file and print the offsets."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from renderwright.engine.cli.whole_number import WholeNumber

if TYPE_CHECKING:
    from renderwright.render.memory.instances import Instance
    from renderwright.render.memory.packing import Packing


@click.command(short_help="Pack a memory problem from a CSV file.")
@click.argument("file", metavar="FILE.csv")
@click.option(
    "--policy",
    type=click.Choice(["fast", "balanced", "thorough"]),
    default="balanced",
    show_default=True,
    help="Search effort: a few orders, a search limited by steps, or a search limited by time.",
)
@click.option(
    "--steps",
    type=WholeNumber(0, 10**9),
    metavar="N",
    help="Steps of the search. [default: the policy's]",
)
@click.option(
    "--seed", type=WholeNumber(0, 2**63 - 1), default=0, metavar="S", show_default=True, help="Seed of the search."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.0, 86400.0),
    metavar="X",
    help="Time limit of the policy thorough. [default: the policy's]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; offsets are in the order of the file.")
def pack(file: str, policy: str, steps: int | None, seed: int, seconds: float | None, as_json: bool) -> None:
    """Assign an offset to every item of FILE.csv, so that items with overlapping live ranges are disjoint in memory.

    The file has the columns id,lower,upper,size. For cyclic time it has a line such as "# T=30" (the period) and then
    the columns id,start,end,size,alignment. Equal input, steps and seed give equal offsets.
    """
    from renderwright.render.errors import SourceLocation, UsageError
    from renderwright.render.memory.instances import read_instance
    from renderwright.render.memory.packing import PackPolicy
    from renderwright.render.memory.packing import pack as pack_items

    if seconds is not None and policy != PackPolicy.THOROUGH:
        raise click.UsageError(f"--seconds is for the policy thorough; {policy} counts --steps")
    instance = read_instance(file)
    start = time.perf_counter()
    try:
        packing = pack_items(
            instance.items, instance.period, PackPolicy(policy), steps=steps, seed=seed, seconds=seconds
        )
    except (ValueError, MemoryError) as error:
        reason = "there is not enough memory" if isinstance(error, MemoryError) else str(error)
        raise UsageError(
            f"the {len(instance.items)} items cannot be packed: {reason}",
            hint="change the file",
            where=SourceLocation(file),
        ) from error
    took = time.perf_counter() - start
    print(json.dumps(packing_to_json(instance, packing, took)) if as_json else packing_to_text(instance, packing, took))


def packing_to_json(instance: Instance, packing: Packing, seconds: float) -> dict[str, object]:
    """The result for ``--json``. All values except ``n``, ``T``, ``optimal`` and ``seconds`` are in bytes."""
    return {
        "n": len(instance.items),
        "T": instance.period,
        "load": packing.load,
        "clique": packing.clique,
        "makespan": packing.makespan,
        "optimal": packing.optimal,
        "seconds": seconds,
        "offsets": list(packing.offsets),
    }


def packing_to_text(instance: Instance, packing: Packing, seconds: float) -> str:
    """A line for each item, sorted by offset, and a summary."""
    lines = [("offset", "size", "from", "to", "id")]
    lines += [
        (str(offset), str(item.size), str(item.start), str(item.end), name)
        for offset, name, item in sorted(
            zip(packing.offsets, instance.ids, instance.items, strict=True), key=lambda row: row[0]
        )
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    rows = [
        "  ".join([*(cell.rjust(width) for cell, width in zip(line, widths, strict=False)), line[4]]) for line in lines
    ]
    bound = max(packing.load, packing.clique)
    if packing.optimal:
        gap = "no packing is smaller"
    else:
        gap = f"at most {100 * (packing.makespan / bound - 1):.2f} % over the smallest" if bound else "nothing to pack"
    time_kind = "circle" if instance.cyclic else "line"
    rows += [
        "",
        f"items     {len(instance.items)} on a {time_kind} of T={instance.period}",
        f"load      {packing.load} bytes",
        f"clique    {packing.clique} bytes",
        f"makespan  {packing.makespan} bytes, {gap}",
        f"seconds   {seconds:.4f}",
    ]
    return "\n".join(rows)
