// Each heap over an even and an odd frame: what lies where, and when. The largest first.
const HEAP_HEIGHT = 300;
const LINE_OF_HEAP = 28;

function heapsView() {
  const box = el("div", { class: "scroll pad" });
  const heaps = capture.plan.heaps.map((heap, at) => ({ ...heap, at })).sort((a, b) => b.size - a.size);
  if (!heaps.length) box.append(el("p", { class: "calm" }, "This frame has no memory of its own."));
  for (const heap of heaps) {
    const items = [...capture.resources.values()].filter((item) => Object.values(item.copies).some((copy) => copy.heap === heap.at));
    const canvas = el("canvas", { role: "img", "aria-label": `Heap ${heap.at}` });
    const gap = heap.load ? heap.size / heap.load - 1 : 0, [kind, types] = heap.class.split(":"), used = inUse(items, heap.at);
    const peak = used.indexOf(Math.max(...used)), fullest = capture.order[peak % capture.order.length];
    canvas.style.height = `${Math.max(64, Math.min(items.length * LINE_OF_HEAP, Math.max(HEAP_HEIGHT, (innerHeight * (heaps.length > 1 ? 0.4 : 0.65)))))}px`;
    box.append(el("div", { class: "heap" },
      el("p", {}, el("b", {}, `${bytes(heap.size)} of ${kind}`), el("span", { class: "dim" }, ` \u2013 ${many(items.length, "resource")}, together ${bytes(items.reduce((sum, item) => sum + item.size * placesOf(item).length, 0))}; most in use at once ${bytes(heap.load)}${gap > 0.0005 ? `, the heap is ${percent(gap)} larger` : ", which is all of it"}, at `, link("node", fullest.id), types ? `; memory types ${types}` : "")),
      canvas, el("p", { class: "dim ends" }, el("span", {}, "even frame \u2192"), el("span", {}, "odd frame \u2192"))));
    new HeapMap(canvas, heap, items, used, peak);
  }
  return box;
}

const arcOf = ({ arc: [begin, end] }, moments) => (end - begin >= moments ? [0, moments] : [begin, end]);

// The bytes in use at each moment of an even and an odd frame.
function inUse(items, heap) {
  const moments = 2 * capture.order.length, used = new Float64Array(moments);
  for (const item of items) {
    for (const [, copy] of copiesOf(item)) {
      const [begin, end] = arcOf(copy, moments);
      if (copy.heap === heap) for (let at = begin; at < end; at++) used[at % moments] += item.size;
    }
  }
  return used;
}

// Where a resource lies, of copies at one place once.
const placesOf = (item) => [...new Set(copiesOf(item).map(([, copy]) => `${copy.heap} ${copy.offset}`))];

const copiesOf = (item) => { const copies = Object.entries(item.copies); return item.kept ? copies.slice(0, 1) : copies; };

class HeapMap {
  constructor(canvas, heap, items, used, peak) {
    Object.assign(this, { canvas, heap, items, used, peak, boxes: [] });
    new ResizeObserver(() => { if (canvas.isConnected) this.paint(); }).observe(canvas);
    canvas.addEventListener("mousemove", (event) => this.point(event));
    canvas.addEventListener("mouseleave", () => tip(null));
    canvas.addEventListener("click", (event) => { const found = this.find(event); if (found) { tip(null); choose("resource", found.item.id); } });
    watchers.push(() => { if (canvas.isConnected) this.paint(); });
  }

  paint() {
    const { canvas, heap } = this, ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d"), moments = 2 * capture.order.length;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.boxes = [];
    for (const item of this.items) {
      for (const [name, copy] of copiesOf(item)) {
        if (copy.heap !== heap.at) continue;
        const [begin, end] = arcOf(copy, moments);
        for (const [from, to] of end > moments ? [[begin, moments], [0, end - moments]] : [[begin, end]]) {
          this.boxes.push({ item, name, x: (from / moments) * width, y: height - ((copy.offset + item.size) / heap.size) * height, width: ((to - from) / moments) * width, height: (item.size / heap.size) * height });
        }
      }
    }
    for (const one of this.boxes) {
      const on = one.item.id === state.resource, dim = (state.query && !matches(one.item.id + " " + one.item.plugin)) || (state.resource && !on);
      pen.fillStyle = color(one.item.plugin, dim ? 0.28 : 0.85);
      pen.fillRect(one.x, one.y, Math.max(1, one.width - 1), Math.max(1, one.height - 1));
      if (on) { pen.strokeStyle = token("--text"); pen.lineWidth = 2; pen.strokeRect(one.x + 1, one.y + 1, Math.max(1, one.width - 3), Math.max(1, one.height - 3)); }
      if (one.height >= 13 && one.width >= 34) {
        pen.fillStyle = dim ? token("--dim") : "#0b0e12";
        pen.font = '11px system-ui, "DejaVu Sans", sans-serif';
        pen.textBaseline = "middle";
        pen.fillText(fitted(pen, brief(one.item.id), one.width - 8), one.x + 4, one.y + one.height / 2);
      }
    }
    pen.fillStyle = token("--bad");
    pen.fillRect(((this.peak + 0.5) / moments) * width - 0.5, 0, 1, height);
    pen.fillStyle = token("--dim");
    pen.fillRect(width / 2, 0, 1, height);
  }

  find(event) {
    const bounds = this.canvas.getBoundingClientRect(), x = event.clientX - bounds.left, y = event.clientY - bounds.top;
    return this.boxes.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
  }

  point(event) {
    const count = capture.order.length, bounds = this.canvas.getBoundingClientRect(), found = this.find(event);
    const moment = clamp(Math.floor(((event.clientX - bounds.left) / bounds.width) * 2 * count), 2 * count);
    const lines = [el("span", { class: "dim" }, `${moment < count ? "even" : "odd"} frame, at ${shown(capture.order[moment % count].id, 60)}: ${bytes(this.used[moment])} in use${moment === this.peak ? ", the most" : ""}`)];
    if (found) lines.unshift(el("b", {}, `${shown(found.item.id)} (${found.name})`), el("span", {}, `${describe(found.item)}, ${owner(found.item.plugin)}`));
    tip(lines, event);
    this.canvas.style.cursor = found ? "pointer" : "default";
  }
}
