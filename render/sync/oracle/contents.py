"""Contents, layouts and ownership of places."""

from __future__ import annotations

from renderwright.render.sync.oracle.findings import Finding, Kind, Site
from renderwright.render.sync.oracle.ledger import Report
from renderwright.render.sync.oracle.names import WRITE_ACCESSES, layout_allows, spell
from renderwright.render.sync.oracle.places import Content, Place
from renderwright.render.sync.oracle.stream import Dependency

_WHY = {
    Content.NEVER_WRITTEN: "nothing has been written to it",
    Content.DISCARDED: "its contents were discarded",
    Content.CLOBBERED: "its memory was written through another resource",
}


class Contents:
    """The rules for contents, layouts and ownership."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def use(self, site: Site, place: Place, family: int | None, access: int, layout: str) -> None:
        """Check one access by a queue of that family (None: the host)."""
        writes = bool(access & WRITE_ACCESSES)
        if family is not None:
            self._owned(site, place, family, keeps=place.resource.is_image or not writes)
        if place.resource.is_image:
            self._layout(site, place, access, layout)
        if writes:
            self.write(site, place)
        elif place.content is not Content.DEFINED:
            self.undefined(site, place, "is read")

    def write(self, site: Site, place: Place) -> None:
        """Mark the place as written, and other places in its memory as clobbered."""
        place.content, place.culprit = Content.DEFINED, None
        self._clobber(site, place)

    def discard(self, site: Site, place: Place) -> None:
        """Mark the contents of the place as discarded."""
        place.content, place.culprit = Content.DISCARDED, (place.resource.id, site)

    def undefined(self, site: Site, place: Place, what: str) -> None:
        """Report a use of undefined contents."""
        why, before = _WHY[place.content], None
        if place.culprit is not None:
            name, before = place.culprit
            if place.content is Content.CLOBBERED:
                why += f', "{name}"'
        self._find(Kind.UNDEFINED_CONTENT, f"it {what}, but {why}", site, place, "a write before it", before)

    def change(self, site: Site, place: Place, family: int, dependency: Dependency) -> None:
        """Apply a layout change."""
        discards = dependency.old == "UNDEFINED"
        if discards:
            place.release = None
            place.owner = family
            self.discard(site, place)
        else:
            if dependency.families is None:
                self._owned(site, place, family, keeps=True)
            if place.layout != dependency.old:
                self._find(
                    Kind.WRONG_LAYOUT,
                    f"the barrier changes it from {dependency.old}, but it is in {place.layout}{_culprit(place)}",
                    site,
                    place,
                    f"oldLayout {place.layout}, or UNDEFINED to discard it",
                )
        place.layout = dependency.new
        self._clobber(site, place)

    def take(self, site: Site, place: Place, dependency: Dependency) -> bool:
        """Acquire: the second half of an ownership transfer; False if it does not match a release."""
        assert dependency.families is not None
        release, place.release = place.release, None
        known, place.owner = place.owner is not None, dependency.families[1]
        if release is None:
            if not known:
                return True  # it was released before the stream begins
            message, before = "ownership is acquired, but was never released", None
        elif release.families != dependency.families or release.layouts != (dependency.old, dependency.new):
            message, before = "release and acquire differ in their families or layouts", release.site
        else:
            return True
        remedy = "a release with the same families and layouts on the queue that had it"
        self._find(Kind.MISSING_OWNERSHIP, message, site, place, remedy, before)
        return False

    def releases(self, site: Site, place: Place, family: int) -> None:
        """Release: the first half of an ownership transfer, on a queue of that family."""
        self._owned(site, place, family, keeps=True)

    def _owned(self, site: Site, place: Place, family: int, *, keeps: bool) -> None:
        resource = place.resource
        if resource.concurrent:
            return
        if resource.display and not resource.acquired:
            self._find(Kind.PRESENT_MISUSE, "it belongs to the display", site, place, "acquire it first")
        if place.release is not None:
            before, place.release = place.release, None
            message = f"it was released to family {before.families[1]}, which has not acquired it"
            self._find(Kind.MISSING_OWNERSHIP, message, site, place, "the acquire barrier", before.site)
        elif place.owner not in (None, family) and keeps and place.content is Content.DEFINED:
            message = f"a queue of family {family} uses what family {place.owner} owns"
            remedy = f"a release on family {place.owner} and an acquire on family {family}"
            self._find(Kind.MISSING_OWNERSHIP, message, site, place, remedy)
        place.owner = family

    def _layout(self, site: Site, place: Place, access: int, layout: str) -> None:
        if not layout_allows(layout, access):
            message = f"{spell(access, access=True)} is not possible in {layout}"
            self._find(Kind.WRONG_LAYOUT, message, site, place, "a layout made for it, or GENERAL")
        if layout == place.layout:
            return
        message = f"it is accessed in {layout}, but is in {place.layout}{_culprit(place)}"
        remedy = f"a layout change {place.layout} -> {layout} before it"
        self._find(Kind.WRONG_LAYOUT, message, site, place, remedy)
        place.layout = layout  # report only once

    def _clobber(self, site: Site, place: Place) -> None:
        for other in place.aliases:
            other.content = Content.CLOBBERED
            other.culprit = (place.resource.id, site)
            other.layout = "UNDEFINED"

    def _find(
        self, kind: Kind, message: str, site: Site, place: Place, remedy: str, before: Site | None = None
    ) -> None:
        self._report(Finding(kind, message, site, before, place.resource.id, place.text, remedy))


def _culprit(place: Place) -> str:
    if place.content is Content.CLOBBERED and place.culprit is not None:
        return f' since "{place.culprit[0]}" took its memory'
    return ""
