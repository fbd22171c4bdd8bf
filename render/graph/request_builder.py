"""The request builder: the fluent interface for the usage of a resource."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Self

from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.arguments import (
    COLOR,
    NAME,
    NUMBER,
    WHOLE_NUMBER,
    check_argument,
    check_arguments,
    check_word,
)
from renderwright.render.graph.blob_cell import compares_for_good
from renderwright.render.graph.handles import ResourceHandle
from renderwright.render.graph.requests import (
    OLDEST,
    FirstFrame,
    Request,
    Verb,
    chain_result_name,
    chain_source_name,
    last_part,
)
from renderwright.render.suggest import one_of
from renderwright.render.types.parts import WHOLE, Span, wrong_part
from renderwright.render.types.physical import mip_extent
from renderwright.render.types.resources import Blob, ClearValue, Extent, ResourceDesc, Texture
from renderwright.render.types.sampling import ADDRESSES, FILTERS, Sampling
from renderwright.render.types.usages import READ_ONLY_USAGES, ShaderStage, ShaderStages, Usage, in_pipeline_order


class RequestBuilder(ResourceHandle):
    """One request during declaration; afterwards, the handle of its resource."""

    def __init__(
        self, verb: Verb, name: str, source: SourceLocation, desc: ResourceDesc | None = None, chain: str = ""
    ) -> None:
        super().__init__(name or chain, source)
        self._verb = verb
        self._resource = name
        self._desc = desc
        self._chain = chain
        self._to = ""
        self._binding = last_part(name)
        self._usage: Usage | None = None
        self._stages: ShaderStages = ()
        self._optional = False
        self._otherwise: object = None
        self._first = FirstFrame.CLEAR
        self._clear: ClearValue | None = None
        self._sampling = Sampling()
        self._part = WHOLE
        self._frames = 1

    # usages ---------------------------------------------------------------------------------------------------------

    def _use(self, usage: Usage, stage: str | Sequence[str] | None = None) -> Self:
        if isinstance(self._desc, Blob):
            raise GraphError(f'"{self._name}" is a blob; blobs have no usage', where=self._source)
        if self._usage is not None:
            raise GraphError(
                f'"{self._name}" is already used as {self._usage}; one request has one usage',
                hint="use a second node for the other usage",
                where=self._source,
            )
        if self._verb in (Verb.READ, Verb.HISTORY, Verb.GATHER) and usage not in READ_ONLY_USAGES:
            raise GraphError(
                f'"{self._name}" is only read, and {usage} writes',
                hint=f'use reg.modify("{self._name}") to write to it',
                where=self._source,
            )
        self._usage = usage
        if stage is not None:
            words = [stage] if isinstance(stage, str) or not isinstance(stage, Sequence) else stage
            self._stages = in_pipeline_order(self._shader_stage(word) for word in words)
            if not self._stages:
                raise GraphError(
                    f'"{self._name}" is used in no shader stage',
                    hint=f"leave out the stage, or give some of {', '.join(ShaderStage)}",
                    where=self._source,
                )
        return self

    def _shader_stage(self, word: str) -> ShaderStage:
        try:
            return ShaderStage(word)
        except ValueError:
            hint = one_of(word, tuple(ShaderStage))
            given = word if isinstance(word, str) else reprlib.repr(word)
            raise GraphError(f'unknown shader stage "{given}"', hint=hint, where=self._source) from None

    def color(self, clear: tuple[float, ...] | None = None) -> Self:
        """Render to it; a creator may ``clear`` it to (r, g, b, a) first."""
        if clear is not None:
            check_argument(f'the clear color of "{self._name}"', clear, COLOR)
            red, green, blue, alpha = clear
            self._set_clear((red, green, blue, alpha))
        return self._use(Usage.COLOR)

    def depth(self, clear: float | None = None) -> Self:
        """Test against it and write depth; a creator may ``clear`` it first (0 is infinitely far)."""
        if clear is not None:
            check_argument(f'the clear depth of "{self._name}"', clear, NUMBER)
            self._set_clear((clear, 0.0, 0.0, 0.0))
        return self._use(Usage.DEPTH)

    def _set_clear(self, value: ClearValue) -> None:
        if self._verb not in (Verb.CREATE, Verb.EXTERNAL):
            raise GraphError(
                f'only the creator of "{self._name}" can clear it',
                hint="clear it in the node that creates it, or draw over it",
                where=self._source,
            )
        self._clear = value

    def depth_read(self) -> Self:
        """Test against it without writing."""
        return self._use(Usage.DEPTH_READ)

    def sampled(self, filter: str = "linear", address: str = "clamp", stage: str | Sequence[str] | None = None) -> Self:
        """Sample it in a shader, filtered ``linear`` or ``nearest``, addressed ``clamp``, ``repeat`` or ``mirror``."""
        check_word(f'the filter of "{self._name}"', filter, FILTERS)
        check_word(f'the address of "{self._name}"', address, ADDRESSES)
        self._sampling = Sampling(filter, address)
        return self._use(Usage.SAMPLED, stage)

    def storage(self, stage: str | Sequence[str] | None = None) -> Self:
        """Read and write it in a shader, as an image of one mip or as a storage buffer."""
        return self._use(Usage.STORAGE, stage)

    def storage_read(self, stage: str | Sequence[str] | None = None) -> Self:
        """Read it in a shader, as an image of one mip or as a storage buffer."""
        return self._use(Usage.STORAGE_READ, stage)

    def storage_write(self, stage: str | Sequence[str] | None = None) -> Self:
        """Write it in a shader, as an image of one mip or as a storage buffer."""
        return self._use(Usage.STORAGE_WRITE, stage)

    def uniform(self, stage: str | Sequence[str] | None = None) -> Self:
        """Read a buffer as a uniform block."""
        return self._use(Usage.UNIFORM, stage)

    def vertex(self) -> Self:
        """Use as a vertex buffer."""
        return self._use(Usage.VERTEX)

    def index(self) -> Self:
        """Use as an index buffer."""
        return self._use(Usage.INDEX)

    def indirect(self) -> Self:
        """Read the arguments of indirect draws or dispatches from the buffer."""
        return self._use(Usage.INDIRECT)

    def copy_src(self) -> Self:
        """Copy from it, by ``cmd.recorder``."""
        return self._use(Usage.COPY_SRC)

    def copy_dst(self) -> Self:
        """Copy to it, fill it or clear it, by ``cmd.recorder``."""
        return self._use(Usage.COPY_DST)

    def shown(self) -> Self:
        """Present it."""
        return self._use(Usage.PRESENT)

    # parts of a texture ---------------------------------------------------------------------------------------------

    def mip(self, number: int) -> Self:
        """Use only one mip level of the texture (0 is the largest)."""
        return self.mips(number, 1)

    def mips(self, first: int, count: int) -> Self:
        """Use only ``count`` mip levels of the texture, from ``first`` on."""
        return self._use_part("mips", (first, count))

    def layer(self, number: int) -> Self:
        """Use only one layer of the texture; shaders then see a texture without layers."""
        return self.layers(number, 1)

    def layers(self, first: int, count: int) -> Self:
        """Use only ``count`` layers of the texture, from ``first`` on."""
        return self._use_part("layers", (first, count))

    def _use_part(self, what: str, span: Span) -> Self:
        if self._desc is not None and not isinstance(self._desc, Texture):
            raise GraphError(
                f'"{self._name}" is a {self._desc.kind}; only textures have {what}',
                hint="request the whole resource",
                where=self._source,
            )
        if getattr(self._part, what) is not None:
            raise GraphError(
                f'the request for "{self._name}" already has a range of {what}',
                hint=f"one request has one range of {what}; use a second request for another",
                where=self._source,
            )
        check_arguments(f'a number of {what} of "{self._name}"', span, WHOLE_NUMBER)
        if span[0] < 0 or span[1] < 1:
            raise GraphError(
                f'"{self._name}" cannot be used with {span[1]} {what} from number {span[0]} on',
                hint="numbers count from 0, and a range has at least one",
                where=self._source,
            )
        part = self._part._replace(**{what: span})
        lacks = wrong_part(part, self._desc.mips, self._desc.layers) if self._desc is not None else ""
        if lacks:
            raise GraphError(f'"{self._name}" has {lacks}', hint="numbers count from 0", where=self._source)
        self._part = part
        return self

    @property
    def extent(self) -> Extent:
        """Width and height of the (first) requested mip, in texels."""
        info = self.texture.info
        return mip_extent(info.extent, self._part)

    # the rest -------------------------------------------------------------------------------------------------------

    def optional(self, otherwise: object = None) -> Self:
        """Keep the node when no node creates the resource.

        Shaders see ``HAS_<BINDING>`` as 0 or 1. With ``otherwise`` they are the same with and without it: a sampled
        texture that is absent has one texel, with that number in all channels, and the uniform block of a blob that is
        absent has the members of that value, which is of the blob's type.
        """
        if isinstance(self._desc, Blob):
            self._check_blob(otherwise)
        elif otherwise is not None:
            check_argument(f'the value where "{self._name}" is absent', otherwise, NUMBER)
        self._optional, self._otherwise = True, otherwise
        return self

    def _check_blob(self, otherwise: object) -> None:
        kind = (self._desc.type if isinstance(self._desc, Blob) else None) or object
        if otherwise is not None and not (isinstance(otherwise, kind) and compares_for_good(type(otherwise))):
            raise GraphError(
                f'the value where "{self._name}" is absent is a {type(otherwise).__name__}, but has to be a '
                f"{kind.__name__} that cannot change",
                hint="give a value of the blob's type: a frozen dataclass, a tuple or a number",
                where=self._source,
            )

    def bind(self, binding: str) -> Self:
        """Set the name in this node's shaders (by default the last part of the resource's name)."""
        check_argument(f'the binding of "{self._name}"', binding, NAME)
        self._binding = binding
        return self

    def first(self, policy: str) -> Self:
        """Set the contents of a history without a previous frame: ``clear`` (zeros, the default), ``discard`` or
        ``invalid`` (both undefined).
        """
        try:
            self._first = FirstFrame(policy)
        except ValueError:
            raise GraphError(
                f'unknown first-frame policy "{policy}"', hint=one_of(policy, tuple(FirstFrame)), where=self._source
            ) from None
        return self

    def from_frames_ago(self, frames: int) -> Self:
        """Set by the registry for histories."""
        check_argument(f'the age of the history of "{self._name}"', frames, WHOLE_NUMBER)
        if not 1 <= frames <= OLDEST or (frames > 1 and isinstance(self._desc, Blob)):
            raise GraphError(
                f'the history of "{self._name}" cannot be from {frames} frames ago',
                hint=f"textures and buffers keep 1 to {OLDEST} frames, blobs keep 1",
                where=self._source,
            )
        self._frames = frames
        return self

    def given_as(self, name: str) -> Self:
        """Set by ``run_node`` for histories: read what ``name`` has in this frame instead."""
        self._verb, self._resource, self._frames = Verb.READ, name, 1
        return self

    def renamed_to(self, name: str) -> Self:
        """Set by the registry for renames."""
        self._to = name
        return self

    def _name_in(self, node: str) -> str:
        """The name of the resource, for other requests of the ``node`` that made this one."""
        if not self._chain:
            return self._to or self._resource
        named = chain_result_name if self._verb is Verb.CREATE else chain_source_name
        return named(self._chain, node)

    def build(self) -> Request:
        """The request as a value."""
        if self._usage is None and self._desc is not None and not isinstance(self._desc, Blob):
            raise GraphError(
                f'"{self._name}" is requested without a usage',
                hint="add .color(), .depth(), .sampled(), .storage() or another usage to the request",
                where=self._source,
            )
        if self._otherwise is not None and self._usage is not Usage.SAMPLED and not isinstance(self._desc, Blob):
            raise GraphError(
                f'"{self._name}" is requested with a value for a texture that is absent, but not as a sampled texture',
                hint="use .sampled(), or .optional() without a value",
                where=self._source,
            )
        return Request(
            verb=self._verb,
            name=self._resource,
            source=self._source,
            binding=self._binding,
            usage=self._usage,
            stages=self._stages,
            desc=self._desc,
            optional=self._optional,
            otherwise=self._otherwise,
            to=self._to,
            first=self._first,
            clear=self._clear,
            sampling=self._sampling,
            chain=self._chain,
            part=self._part,
            frames=self._frames,
        )
