"""``renderwright thumbnails``: pictures of models."""

from __future__ import annotations

from pathlib import Path

import click

from renderwright.engine.cli import parameters


@click.command(short_help="Render pictures of the glTF models of a folder.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="The folder of the pictures. [default: out/FOLDER-thumbnails]",
)
@click.option("--size", type=parameters.size, metavar="WxH", default="256x256", show_default=True, help="In pixels.")
@parameters.farm_options
def thumbnails(
    folder: Path,
    out: Path | None,
    size: tuple[int, int],
    workers: int,
    scheduler: str,
    anew: bool,
    backend: str | None,
    device: str,
) -> int:
    """Render a picture of each .glb and .gltf file in FOLDER and the folders in it.

    Pictures that are there already are rendered again only if their model has changed. The exit
    code is 3 if pictures are missing in the end.
    """
    from renderwright.engine.farm import command
    from renderwright.engine.farm.options import FarmOptions, ThumbnailOptions
    from renderwright.engine.options import BackendName

    chosen = BackendName(backend) if backend is not None else None
    farm = FarmOptions(workers, scheduler, anew)
    options = ThumbnailOptions(folder, out or command.default_folder(folder), size, chosen, device, farm)
    return command.thumbnails(options)
