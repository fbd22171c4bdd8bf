"""``renderwright graph``: compile a game's or a skeleton's frame graph and print the plan."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from renderwright.engine.cli import parameters
from renderwright.engine.cli.whole_number import WholeNumber

if TYPE_CHECKING:
    from renderwright.engine.options import PlanOptions, SettingChange
    from renderwright.render.compiler.values.plan import Plan


@click.command(short_help="Print the plan of a frame graph.")
@click.argument("source", metavar="GAME|FILE.yaml")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "dot", "mermaid"]), default="text", show_default=True
)
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a page to look at the plan in a browser, instead of printing it.",
)
@parameters.plan_backend_option
@parameters.frame_options
@parameters.order_option
@click.option(
    "--search-order", is_flag=True, help="Search for the order that needs the least memory, as a game in a window does."
)
@click.option(
    "--queues",
    type=parameters.queues,
    default="graphics",
    metavar="Q,..",
    show_default=True,
    help="Queues of the GPU: graphics, compute, copy.",
)
@click.option(
    "--size", type=parameters.size, default="1280x720", metavar="WxH", show_default=True, help="Size of the output."
)
@click.option(
    "--frames",
    type=WholeNumber(1, 1000),
    default=2,
    metavar="N",
    show_default=True,
    help="Number of frames whose barriers --format json lists.",
)
@click.option(
    "--explain",
    "names",
    multiple=True,
    metavar="NAME",
    help="Explain a node or a resource instead of printing the plan; repeatable.",
)
@parameters.plugin_options
@parameters.layouts_option
@parameters.fullscreen_option
def graph(
    source: str,
    form: str,
    page: Path | None,
    backend: str,
    resolutions: tuple[tuple[str, tuple[int, int]], ...],
    counts: tuple[tuple[tuple[str, int], ...], ...],
    order: str,
    search_order: bool,
    queues: tuple[str, ...],
    no_multiview: bool,
    views: int | None,
    ssaa: str | None,
    vr: bool,
    size: tuple[int, int],
    frames: int,
    names: tuple[str, ...],
    enable: tuple[tuple[str, ...], ...],
    disable: tuple[tuple[str, ...], ...],
    settings: tuple[SettingChange, ...],
    unified_layouts: bool | None,
    fullscreen: str,
) -> int:
    """Print the plan of a game's first frame, or of a skeleton graph by itself.

    The game is set up, but no GPU is needed: memory sizes come from a documented model. Exits with 1 if the text lists
    errors.
    """
    if names and form != "text":
        raise click.UsageError(f"--explain prints text, not {form}")
    if page is not None and (names or form != "text"):
        raise click.UsageError("--html writes a page and prints nothing: leave out --format and --explain")
    from renderwright.engine.options import BackendName, PlanOptions
    from renderwright.engine.planning import plan_of
    from renderwright.render import inspect
    from renderwright.render.compiler.diagnostics.findings import Severity
    from renderwright.render.types.fullscreen import Fullscreen

    options = PlanOptions(
        source=source,
        size=size,
        resolutions=resolutions,
        counts=tuple(pair for pairs in counts for pair in pairs),
        order=order,
        search_order=search_order,
        queues=queues,
        multiview=not no_multiview,
        unified_layouts=unified_layouts,
        fullscreen=Fullscreen(fullscreen),
        plugins=parameters.frame_choice(enable, disable, settings, views=views, ssaa=ssaa, vr=vr),
        players=views,
        backend=BackendName(backend),
    )
    if page is not None:
        _write_page(page, options)
        return 0
    plan = plan_of(options)
    if names:
        print("\n".join(_explained(plan, name, source) for name in names), end="")
        return 0
    match form:
        case "json":
            text = json.dumps(inspect.plan_to_json(plan, frames), indent=2)
        case "dot":
            text = inspect.plan_to_dot(plan)
        case "mermaid":
            text = inspect.plan_to_mermaid(plan)
        case _:
            text = inspect.plan_to_text(plan)
    print(text.rstrip("\n"))
    failed = any(problem.severity is Severity.ERROR for problem in plan.problems)
    return 1 if form == "text" and failed else 0


def _write_page(page: Path, options: PlanOptions) -> None:
    from renderwright.engine.capture.files import PAGES, check_capture_file, write_page
    from renderwright.engine.capture.planned import planned_capture
    from renderwright.engine.planning import plan_of

    check_capture_file(page, PAGES)
    document = planned_capture(plan_of(options), options)
    size = write_page(page, document)
    print(f"The page is in {page}: {len(document['plan']['nodes'])} nodes, {size}.")


def _explained(plan: Plan, name: str, source: str) -> str:
    """The report on a name. The error for an unknown one says if it is of a plugin that is not in the frame."""
    from renderwright.engine.planning import is_skeleton
    from renderwright.engine.plugins import find_plugins
    from renderwright.render import inspect
    from renderwright.render.errors import UsageError

    try:
        return inspect.explain(plan, name, _waiting(plan, name))
    except UsageError as error:
        plugin = name.partition("/")[0]
        declared = (*(node.declaration for node in plan.resolved.nodes), *plan.resolved.left_out)
        present = {node.plugin for node in declared}
        installed = {found.name for found in find_plugins()}
        if is_skeleton(source) or plugin in present or plugin not in installed:
            raise
        hint = (
            f'plugin "{plugin}" is installed, but not in this frame: --enable {plugin} adds its nodes, and '
            f"`renderwright plugins info {plugin}` lists them"
        )
        raise UsageError(error.message, hint=hint) from error


def _waiting(plan: Plan, name: str) -> Sequence[str]:
    """The plugin of a node that is not in the frame, if it waits for something that a scene may have."""
    from renderwright.engine.plan_review import is_waiting
    from renderwright.engine.plugins import find_plugins
    from renderwright.engine.plugins.loading import PluginLoader

    plugin = name.partition("/")[0]
    if not any(removal.node == name for removal in plan.removed):
        return ()
    loaded = [PluginLoader().load(found).info for found in find_plugins() if found.name == plugin]
    return [info.name for info in loaded if is_waiting(plan, info)]
