"""Takes changed files into a running session, one owner's at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from functools import partial
from pathlib import Path

from renderwright.engine.game_class import skeleton_file
from renderwright.engine.games import game_folder
from renderwright.engine.messages import say
from renderwright.engine.plan_review import Finding, findings
from renderwright.engine.plugins.reasons import reason_of
from renderwright.engine.reload.board import Board, named
from renderwright.engine.reload.edits import Edit, ShaderEdit
from renderwright.engine.reload.places import SHADER_SUFFIXES, PluginPlace, game_files, plugin_places
from renderwright.engine.reload.plugin_edit import FAILED, PluginEdit
from renderwright.engine.reload.preferences_edit import PreferencesEdit, PreferencesInUse, PreferencesPlace
from renderwright.engine.reload.skeleton_edit import SkeletonEdit
from renderwright.engine.reload.watcher import Watcher
from renderwright.engine.session import Session
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CODE_FAILURES, RenderwrightError
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.shaders.source_files import HeldFiles

SHADERS = "shaders"
"""The owner of shaders that belong to no plugin."""
SKELETON = "skeleton"
"""The owner of the skeleton's file."""
PREFERENCES = "preferences"
"""The owner of the file of preferences."""
GAME = "the game"
"""The owner of the game's code."""
STAYS_OUT = "it stays out of the frame until one of its files, or the skeleton, changes"
"""What becomes of a plugin that has failed."""


class Reloader:
    """Hot reload of a session. Call ``update`` between frames.

    ``watcher`` tells of changed files; the caller closes it. ``shaders`` are the files of the session's shader library.
    ``preferences`` says which preferences the session has been made with (None: none). ``write`` writes a line for the
    terminal.

    The files of one owner are put on trial together (``renderwright.render.runtime.plans.trial``). If they are refused,
    they wait for the next change of a file of that owner, and a message says why.
    """

    def __init__(
        self,
        session: Session,
        watcher: Watcher,
        shaders: HeldFiles,
        *,
        preferences: PreferencesPlace | None = None,
        write: Callable[[str], None] = say,
    ) -> None:
        self._session = session
        self._watcher = watcher
        self._shaders = shaders
        self._texts = HeldFiles()
        self._board = Board(write, session.show_notice)
        game = session.runner.game
        self._skeleton = skeleton_file(game).resolve()
        self._texts.read(self._skeleton)
        self._preferences: PreferencesInUse | None = None
        if preferences is not None:
            with suppress(OSError):  # a folder that comes later is not watched
                preferences.file.parent.mkdir(parents=True, exist_ok=True)
            self._preferences = PreferencesInUse(preferences, session.plugins, game.plugins)
        self._waiting: list[str] = []
        self._pending: dict[str, set[Path]] = {}
        self._places: dict[str, PluginPlace] = {}
        self._game_files: frozenset[Path] = frozenset()
        self._failed: frozenset[str] = frozenset()
        self._watched: object = None
        self._follow_plugins()

    @property
    def board(self) -> Board:
        """The messages."""
        return self._board

    def update(self) -> None:
        """Take changed files in, as far as no edit is on trial."""
        for path in self._watcher.take():
            self._note(path)
        while self._waiting and not self._session.trial.active:
            self._try(self._waiting.pop(0))
        self._follow_plugins()

    # what a changed path means ------------------------------------------------------------------------------------

    def _note(self, path: Path) -> None:
        owner = self._owner(path)
        if owner == GAME:
            self._board.wrong(GAME, f"{path.name} has changed; restart the game to use it")
        elif owner is not None:
            self._pending.setdefault(owner, set()).add(path)
            if owner not in self._waiting:
                self._waiting.append(owner)

    def _owner(self, path: Path) -> str | None:
        """Whose a changed file is, None if it is of no use here."""
        if path == self._skeleton:
            return SKELETON
        if self._preferences is not None and path == self._preferences.place.file.resolve():
            return PREFERENCES
        python = path.suffix == ".py"
        if python or path.suffix in SHADER_SUFFIXES:
            for name, place in self._places.items():
                if place.owns(path):
                    return name
        if python:
            return GAME if path in self._game_files else None
        if path in self._shaders.paths or (path.suffix in SHADER_SUFFIXES and SHADERS in self._pending):
            return SHADERS
        return None

    def _edit(self, owner: str) -> Edit:
        session = self._session
        if owner == SHADERS:
            return ShaderEdit(session.graph, self._shaders)
        if owner == PREFERENCES and self._preferences is not None:
            return PreferencesEdit(self._preferences)
        if owner == SKELETON:
            return SkeletonEdit(session.base, self._texts)
        code = self._places[owner].code
        return PluginEdit(owner, code, session.plugins, session.graph, self._shaders, self._texts)

    # trials ---------------------------------------------------------------------------------------------------------

    def _try(self, owner: str) -> None:
        edit, paths = self._edit(owner), frozenset(self._pending[owner])
        known = {finding.message for finding in self._findings(self._session.runtime.plan)}
        try:
            changed = edit.apply(paths)
        except CODE_FAILURES as error:
            self._refuse(owner, reason_of(error, module=self._module(owner)))
            return
        if changed:
            self._session.trial.begin(
                partial(self._take_back, owner, edit),
                partial(self._keep, owner, edit, paths),
                partial(self._objection, known),
            )
        else:
            words = "the files are those in use again" if owner in self._board.messages else ""
            del self._pending[owner]
            self._board.right(owner, words)

    def _findings(self, plan: Plan) -> tuple[Finding, ...]:
        return findings(plan, self._session.plugins.enabled_without_views())

    def _objection(self, known: Set[str], plan: Plan) -> RenderwrightError | None:
        """The first finding about a plan that is not ``known`` from the plan before the edit."""
        new = (finding for finding in self._findings(plan) if finding.message not in known)
        return next((finding.error() for finding in new), None)

    def _take_back(self, owner: str, edit: Edit, failures: Sequence[NodeFailure]) -> None:
        edit.take_back()
        first = failures[0]
        self._refuse(owner, reason_of(first.error, first.node, first.phase, module=self._module(owner)))

    def _module(self, owner: str) -> str:
        """The module of an owner that is a plugin, by name, else ''."""
        return self._session.plugins.found(owner).module if owner in self._places else ""

    def _refuse(self, owner: str, reason: str) -> None:
        outcome = STAYS_OUT if owner in self._failed else "the last good version stays in use"
        self._board.wrong(owner, f"{reason}\n  {outcome}")

    def _keep(self, owner: str, edit: Edit, paths: frozenset[Path]) -> None:
        remarks = edit.keep()
        if owner not in self._waiting:
            del self._pending[owner]
        self._board.right(owner, f"{named(paths)} in use" if paths else "in the frame again")
        for remark in remarks:
            self._board.tell(owner, remark)
        if owner == SKELETON:
            self._try_failed_again()

    def _try_failed_again(self) -> None:
        """Put the plugins that have failed on trial: the skeleton before may have been the reason."""
        for name in sorted(self._failed & self._places.keys()):
            self._pending.setdefault(name, set())
            if name not in self._waiting:
                self._waiting.append(name)

    # plugins and their files ------------------------------------------------------------------------------------------

    def _follow_plugins(self) -> None:
        """Show which plugins have failed, and watch the folders of all files in use, if anything may be otherwise than
        at the last call."""
        statuses = self._session.plugins.plugins()
        states = [(status.state, status.file) for status in statuses]
        watched = (self._shaders.count, len(sys.modules), states)
        if watched == self._watched:
            return
        self._watched = watched
        self._show_failed({status.name: status.reason for status in statuses if status.state in FAILED})
        self._watch()

    def _show_failed(self, failed: dict[str, str]) -> None:
        for name in self._failed - failed.keys():
            self._board.right(name)
        for name in failed.keys() - self._failed:
            self._board.wrong(name, f"{failed[name]}\n  {STAYS_OUT}")
        self._failed = frozenset(failed)

    def _watch(self) -> None:
        game = type(self._session.runner.game)
        self._places = {place.name: place for place in plugin_places(self._session.plugins, game.__module__)}
        self._game_files = game_files(game_folder(game))
        files = set(self._shaders.paths) | self._game_files | {self._skeleton}
        if self._preferences is not None:
            files.add(self._preferences.place.file)
        for place in self._places.values():
            python = place.python_files()
            files |= python
            self._hold(python)
        self._watcher.watch({path.parent for path in files})

    def _hold(self, files: frozenset[Path]) -> None:
        """Remember the texts of modules, to see when they are others."""
        for path in files:
            if path.is_file():
                self._texts.read(path)
