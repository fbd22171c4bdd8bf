"""The accesses of each recorded command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from renderwright.render.backend.vulkan.api import CData, ffi, lib
from renderwright.render.backend.vulkan.constants import WHOLE_SIZE
from renderwright.render.backend.vulkan.recording.barriers import attachments, dependencies, mip_layers, subresources
from renderwright.render.backend.vulkan.recording.objects import Objects, number_of
from renderwright.render.backend.vulkan.recording.pipelines import LAYOUT_NAMES, Pipeline, Pipelines
from renderwright.render.sync.oracle.names import ACCESSES, STAGES
from renderwright.render.sync.oracle.stream import (
    WHOLE,
    Access,
    Barrier,
    Begin,
    BeginRendering,
    EndRendering,
    Label,
    Range,
    ResetEvent,
    SetEvent,
    WaitEvents,
    Work,
)

_READ, _WRITE = ACCESSES["TRANSFER_READ"], ACCESSES["TRANSFER_WRITE"]
_GRAPHICS = lib.VK_PIPELINE_BIND_POINT_GRAPHICS
_COMPUTE = lib.VK_PIPELINE_BIND_POINT_COMPUTE
_NO_PIPELINE = Pipeline(())


@dataclass
class _State:
    """The bindings of a command buffer."""

    pipelines: dict[int, Pipeline] = field(default_factory=dict)
    sets: dict[int, dict[int, int]] = field(default_factory=dict)
    vertices: dict[int, tuple[int, int]] = field(default_factory=dict)
    indices: tuple[int, int] | None = None


class CommandWatch:
    """Observes the commands; ``watched`` are the observers by function name, called with the function's arguments."""

    def __init__(self, objects: Objects, pipelines: Pipelines) -> None:
        self._objects = objects
        self._pipelines = pipelines
        self._states: dict[int, _State] = {}
        self.watched: dict[str, Callable[..., None]] = {
            "vkBeginCommandBuffer": self._begin,
            "vkCmdBindPipeline": self._bind_pipeline,
            "vkCmdBindDescriptorSets": self._bind_sets,
            "vkCmdBindVertexBuffers": self._bind_vertices,
            "vkCmdBindIndexBuffer": self._bind_indices,
            "vkCmdDraw": lambda at, *_: self._draw(at, "draw"),
            "vkCmdDrawIndexed": lambda at, *_: self._draw(at, "draw indexed", indexed=True),
            "vkCmdDrawIndirect": lambda at, *more: self._draw_indirect(at, *more),
            "vkCmdDrawIndexedIndirect": lambda at, *more: self._draw_indirect(at, *more, indexed=True),
            "vkCmdDrawIndexedIndirectCount": self._draw_counted,
            "vkCmdDispatch": lambda at, *_: self._dispatch(at),
            "vkCmdDispatchIndirect": self._dispatch,
            "vkCmdPipelineBarrier2": self._barrier,
            "vkCmdSetEvent2": self._set_event,
            "vkCmdWaitEvents2": self._wait_events,
            "vkCmdResetEvent2": self._reset_event,
            "vkCmdBeginRendering": self._begin_rendering,
            "vkCmdEndRendering": lambda at: objects.emit(EndRendering(0, objects.command_buffer(at))),
            "vkCmdBeginDebugUtilsLabelEXT": self._label,
            "vkCmdEndDebugUtilsLabelEXT": lambda at: objects.emit(Label(0, objects.command_buffer(at), "")),
            "vkCmdCopyBuffer": self._copy_buffer,
            "vkCmdFillBuffer": self._fill,
            "vkCmdUpdateBuffer": self._update,
            "vkCmdCopyImage": self._copy_image,
            "vkCmdBlitImage": self._blit,
            "vkCmdResolveImage": self._resolve,
            "vkCmdCopyBufferToImage": self._copy_in,
            "vkCmdCopyImageToBuffer": self._copy_out,
            "vkCmdClearColorImage": self._clear,
            "vkCmdClearDepthStencilImage": self._clear,
        }

    def _state(self, buffer: CData) -> _State:
        return self._states[number_of(buffer)]

    def _begin(self, buffer: CData, info: CData) -> None:
        self._states[number_of(buffer)] = _State()
        self._objects.emit(Begin(0, self._objects.command_buffer(buffer)))

    def _bind_pipeline(self, buffer: CData, point: int, pipeline: CData) -> None:
        self._state(buffer).pipelines[point] = self._pipelines.pipelines[number_of(pipeline)]

    def _bind_sets(
        self, buffer: CData, point: int, layout: CData, first: int, count: int, sets: CData, *dynamic: object
    ) -> None:
        bound = self._state(buffer).sets.setdefault(point, {})
        for number in range(count):
            bound[first + number] = number_of(sets[number])

    def _bind_vertices(self, buffer: CData, first: int, count: int, buffers: CData, offsets: CData) -> None:
        for number in range(count):
            self._state(buffer).vertices[first + number] = (number_of(buffers[number]), int(offsets[number]))

    def _bind_indices(self, buffer: CData, indices: CData, offset: int, kind: int) -> None:
        self._state(buffer).indices = (number_of(indices), offset)

    # work -----------------------------------------------------------------------------------------------------------

    def _work(self, buffer: CData, name: str, accesses: Sequence[Access], pipeline: Pipeline | None = None) -> None:
        where = self._objects.command_buffer(buffer)
        if pipeline is None:
            self._objects.emit(Work(0, where, name, tuple(accesses)))
        else:
            self._objects.emit(Work(0, where, name, tuple(accesses), True, pipeline.blends, pipeline.depth))

    def _touch(self, handle: int, stage: str, access: int, layout: int | None = None, part: Range = WHOLE) -> Access:
        name = "" if layout is None else LAYOUT_NAMES[layout]
        return Access(self._objects.resource(handle), STAGES[stage], access, name, self._objects.part(handle, part))

    def _bound(self, state: _State, point: int) -> tuple[Pipeline, list[Access]]:
        pipeline = state.pipelines.get(point, _NO_PIPELINE)
        return pipeline, list(self._pipelines.accesses(pipeline, state.sets.get(point, {}), self._objects))

    def _draw(self, buffer: CData, name: str, *, indexed: bool = False, more: Sequence[Access] = ()) -> None:
        state = self._state(buffer)
        pipeline, accesses = self._bound(state, _GRAPHICS)
        for slot, (handle, offset) in state.vertices.items():
            if slot < pipeline.vertex_buffers:
                access, part = ACCESSES["VERTEX_ATTRIBUTE_READ"], Range(offset=offset)
                accesses.append(self._touch(handle, "VERTEX_ATTRIBUTE_INPUT", access, part=part))
        if indexed and state.indices is not None:
            handle, offset = state.indices
            accesses.append(self._touch(handle, "INDEX_INPUT", ACCESSES["INDEX_READ"], part=Range(offset=offset)))
        self._work(buffer, name, [*accesses, *more], pipeline)

    def _indirect(self, arguments: CData, offset: int) -> Access:
        access = ACCESSES["INDIRECT_COMMAND_READ"]
        return self._touch(number_of(arguments), "DRAW_INDIRECT", access, part=Range(offset=offset))

    def _draw_indirect(
        self, buffer: CData, arguments: CData, offset: int, count: int, stride: int, *, indexed: bool = False
    ) -> None:
        self._draw(buffer, "draw indirect", indexed=indexed, more=[self._indirect(arguments, offset)])

    def _draw_counted(
        self, buffer: CData, arguments: CData, offset: int, counts: CData, place: int, most: int, stride: int
    ) -> None:
        more = [self._indirect(arguments, offset), self._indirect(counts, place)]
        self._draw(buffer, "draw indirect", indexed=True, more=more)

    def _dispatch(self, buffer: CData, arguments: CData | None = None, offset: int = 0) -> None:
        _, accesses = self._bound(self._state(buffer), _COMPUTE)
        more = [self._indirect(arguments, offset)] if arguments is not None else []
        self._work(buffer, "dispatch", [*accesses, *more])

    # synchronisation and rendering ----------------------------------------------------------------------------------

    def _barrier(self, buffer: CData, info: CData) -> None:
        found = dependencies(info, self._objects)
        self._objects.emit(Barrier(0, self._objects.command_buffer(buffer), found))

    def _set_event(self, buffer: CData, event: CData, info: CData) -> None:
        found = dependencies(info, self._objects)
        self._objects.emit(SetEvent(0, self._objects.command_buffer(buffer), self._objects.event(event), found))

    def _wait_events(self, buffer: CData, count: int, events: CData, infos: CData) -> None:
        found = [
            (self._objects.event(events[number]), dependencies(infos[number], self._objects)) for number in range(count)
        ]
        self._objects.emit(WaitEvents(0, self._objects.command_buffer(buffer), tuple(found)))

    def _reset_event(self, buffer: CData, event: CData, stages: int) -> None:
        where = self._objects.command_buffer(buffer)
        self._objects.emit(ResetEvent(0, where, self._objects.event(event), int(stages)))

    def _begin_rendering(self, buffer: CData, info: CData) -> None:
        found = attachments(info, self._objects)
        self._objects.emit(BeginRendering(0, self._objects.command_buffer(buffer), found))

    def _label(self, buffer: CData, label: CData) -> None:
        name = ffi.string(label.pLabelName).decode()
        self._objects.emit(Label(0, self._objects.command_buffer(buffer), name or "?"))

    # copies ---------------------------------------------------------------------------------------------------------

    def _copy_buffer(self, buffer: CData, source: CData, target: CData, count: int, regions: CData) -> None:
        accesses = []
        for number in range(count):
            region = regions[number]
            size = int(region.size)
            read, written = (
                Range(offset=int(region.srcOffset), size=size),
                Range(offset=int(region.dstOffset), size=size),
            )
            accesses.append(self._touch(number_of(source), "COPY", _READ, part=read))
            accesses.append(self._touch(number_of(target), "COPY", _WRITE, part=written))
        self._work(buffer, "copy buffer", accesses)

    def _fill(self, buffer: CData, target: CData, offset: int, size: int, value: int) -> None:
        part = Range(offset=offset, size=None if size == WHOLE_SIZE else size)
        self._work(buffer, "fill buffer", [self._touch(number_of(target), "CLEAR", _WRITE, part=part)])

    def _update(self, buffer: CData, target: CData, offset: int, size: int, data: CData) -> None:
        part = Range(offset=offset, size=size)
        self._work(buffer, "update buffer", [self._touch(number_of(target), "COPY", _WRITE, part=part)])

    def _images(
        self,
        buffer: CData,
        name: str,
        stage: str,
        source: tuple[CData, int],
        target: tuple[CData, int],
        regions: Sequence[CData],
    ) -> None:
        accesses = []
        for region in regions:
            read, written = mip_layers(region.srcSubresource), mip_layers(region.dstSubresource)
            accesses.append(self._touch(number_of(source[0]), stage, _READ, source[1], read))
            accesses.append(self._touch(number_of(target[0]), stage, _WRITE, target[1], written))
        self._work(buffer, name, accesses)

    def _copy_image(
        self, buffer: CData, source: CData, old: int, target: CData, new: int, count: int, regions: CData
    ) -> None:
        self._images(buffer, "copy image", "COPY", (source, old), (target, new), [regions[n] for n in range(count)])

    def _blit(
        self, buffer: CData, source: CData, old: int, target: CData, new: int, count: int, regions: CData, filter: int
    ) -> None:
        self._images(buffer, "blit image", "BLIT", (source, old), (target, new), [regions[n] for n in range(count)])

    def _resolve(
        self, buffer: CData, source: CData, old: int, target: CData, new: int, count: int, regions: CData
    ) -> None:
        self._images(
            buffer, "resolve image", "RESOLVE", (source, old), (target, new), [regions[n] for n in range(count)]
        )

    def _copy_in(self, buffer: CData, source: CData, image: CData, layout: int, count: int, regions: CData) -> None:
        accesses = [self._touch(number_of(source), "COPY", _READ)]
        for number in range(count):
            part = mip_layers(regions[number].imageSubresource)
            accesses.append(self._touch(number_of(image), "COPY", _WRITE, layout, part))
        self._work(buffer, "copy buffer to image", accesses)

    def _copy_out(self, buffer: CData, image: CData, layout: int, target: CData, count: int, regions: CData) -> None:
        accesses = [self._touch(number_of(target), "COPY", _WRITE)]
        for number in range(count):
            part = mip_layers(regions[number].imageSubresource)
            accesses.append(self._touch(number_of(image), "COPY", _READ, layout, part))
        self._work(buffer, "copy image to buffer", accesses)

    def _clear(self, buffer: CData, image: CData, layout: int, value: CData, count: int, parts: CData) -> None:
        accesses = [
            self._touch(number_of(image), "CLEAR", _WRITE, layout, subresources(parts[number]))
            for number in range(count)
        ]
        self._work(buffer, "clear image", accesses)
