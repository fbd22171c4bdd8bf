// Queues over time: as measured, or as the planner's costs say.
function queuesView() {
  const times = capture.document.times, measured = times && times.intervals.length;
  const rows = measured
    ? times.intervals.map((one) => ({ node: one.node, queue: one.queue, begin: one.begin_ms, end: one.end_ms, unit: "ms" }))
    : capture.document.queues.schedule.map((one) => ({ node: one.node, queue: one.queue, begin: one.begin, end: one.begin + one.cost, idle: one.idle }));
  const queues = capture.document.queues, whole = Math.max(...rows.map((row) => row.end), 1e-9);
  const busy = grouped(rows, (row) => row.queue);
  const canvas = el("canvas", { role: "img", "aria-label": "Nodes on their queues over time", style: { width: "100%", height: `${busy.size * 54 + 30}px` } });
  const facts = [...busy].map(([queue, own]) => {
    const taken = covered(own);
    return el("div", { class: "card" }, el("b", {}, percent(taken / whole)), el("span", {}, `${queue} is busy, ${many(own.length, "node")}`));
  });
  if (busy.size > 1) facts.push(el("div", { class: "card" }, el("b", {}, percent(overlap(busy) / whole)), el("span", {}, "of the frame at least two queues work")));
  if (!measured && queues.time_on_one_queue) facts.push(planned(queues));
  const waits = new Table([
    { title: "node", width: "minmax(180px, 1fr)", value: (row) => row.node, cell: (row) => link("node", row.node) },
    { title: "queue", width: "90px", value: (row) => capture.nodes.get(row.node).queue },
    { title: "waits for", width: "minmax(240px, 2fr)", value: (row) => row.for.join(" "), cell: (row) => row.for.flatMap((node, at) => [at ? ", " : "", link("node", node), ` (${capture.nodes.get(node).queue})`]) },
    { title: "its queue stands still for", width: "170px", num: true, value: (row) => idleOf(row.node), cell: (row) => percent(idleOf(row.node)) },
  ], queues.waits, { pick: (row) => ["node", row.node], empty: "No queue waits for another one." });
  waits.box.style.flex = "none";
  waits.box.style.height = `${Math.min(14, Math.max(2, queues.waits.length + 1)) * LINE + 20}px`;
  new Lanes(canvas, busy, whole, measured ? "ms" : "");
  const crossing = queues.cross_frame_work.map((work) => el("li", {}, ...work.nodes.flatMap((node, at) => [at ? ", " : "", link("node", node)]), work.until ? [" until ", link("node", work.until), " of the next frame"] : " until the next frame ends"));
  return el("div", { class: "scroll pad" },
    el("p", { class: "dim" }, measured ? `Measured in frame ${times.measured_frame}.` : "Not measured: this is the planner's schedule by the costs that nodes declare; a node without one takes 1."),
    el("section", { class: "block" }, el("div", { class: "cards" }, facts)),
    el("section", { class: "block" }, canvas),
    el("section", { class: "block" }, el("h3", {}, "Waits between queues"), waits.box),
    crossing.length ? el("section", { class: "block" }, el("h3", {}, "Work that goes on beside the next frame"), el("ul", {}, crossing)) : null);
}

// A node that may not run on the graphics queue leaves it also where waits between queues cost more than that saves.
function planned({ planned_time, time_on_one_queue }) {
  const saved = 1 - planned_time / time_on_one_queue;
  return el("div", { class: "card" }, el("b", {}, percent(Math.abs(saved))), el("span", {}, saved >= 0 ? "saved by several queues, as planned" : "longer than on one queue, as planned: nodes must leave the graphics queue, and waits between queues take time"));
}

function idleOf(node) {
  const rows = capture.document.queues.schedule, whole = Math.max(...rows.map((row) => row.begin + row.cost), 1e-9);
  const row = rows[capture.nodes.get(node).number];
  return row ? row.idle / whole : 0;
}

function covered(rows) {
  let sum = 0, until = -Infinity;
  for (const row of rows.slice().sort((a, b) => a.begin - b.begin)) {
    sum += Math.max(0, row.end - Math.max(row.begin, until));
    until = Math.max(until, row.end);
  }
  return sum;
}

function overlap(busy) {
  const each = [...busy.values()].reduce((sum, rows) => sum + covered(rows), 0);
  return Math.max(0, each - covered([...busy.values()].flat()));
}

class Lanes {
  constructor(canvas, busy, whole, unit) {
    Object.assign(this, { canvas, busy, whole, unit, bars: [] });
    new ResizeObserver(() => { if (canvas.isConnected) this.paint(); }).observe(canvas);
    watchers.push(() => { if (canvas.isConnected) this.paint(); });
    canvas.addEventListener("mousemove", (event) => {
      const bar = this.find(event);
      tip(bar ? [el("b", {}, shown(bar.row.node)), el("span", { class: "dim" }, `${owner(capture.nodes.get(bar.row.node)?.plugin)}, ${bar.row.queue} queue`), `${number(+(bar.row.end - bar.row.begin).toFixed(4))} ${unit} from ${number(+bar.row.begin.toFixed(4))} on`] : null, event);
    });
    canvas.addEventListener("mouseleave", () => tip(null));
    canvas.addEventListener("click", (event) => { const bar = this.find(event); if (bar && capture.nodes.has(bar.row.node)) { tip(null); choose("node", bar.row.node); } });
  }

  paint() {
    const { canvas } = this, ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, left = 84;
    if (!width) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d"), scale = (width - left - 8) / this.whole;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = '11.5px system-ui, "DejaVu Sans", sans-serif';
    pen.textBaseline = "middle";
    this.bars = [];
    let top = 6;
    for (const [queue, rows] of this.busy) {
      pen.fillStyle = token("--raised");
      pen.fillRect(left, top, width - left - 8, 42);
      pen.fillStyle = token("--dim");
      pen.fillText(queue, 4, top + 21);
      for (const row of rows) {
        const plugin = capture.nodes.get(row.node)?.plugin ?? "", x = left + row.begin * scale, wide = Math.max(1, (row.end - row.begin) * scale);
        const dim = state.query && !matches(row.node + " " + plugin);
        pen.fillStyle = color(plugin, dim ? 0.2 : 0.9);
        pen.fillRect(x, top + 2, Math.max(1, wide - 1), 38);
        if (row.node === state.node) { pen.strokeStyle = token("--text"); pen.lineWidth = 2; pen.strokeRect(x + 1, top + 3, Math.max(1, wide - 3), 36); }
        if (wide > 46 && !dim) { pen.fillStyle = "#0b0e12"; pen.fillText(fitted(pen, shown(row.node), wide - 10), x + 5, top + 21); }
        this.bars.push({ row, x, y: top, width: wide });
      }
      top += 54;
    }
    pen.fillStyle = token("--dim");
    for (let tick = 0; tick <= 4; tick++) {
      const x = left + (tick / 4) * (width - left - 8);
      pen.textAlign = tick === 4 ? "right" : tick ? "center" : "left";
      pen.fillText(`${number(+((tick / 4) * this.whole).toFixed(2))} ${this.unit}`, x, top + 6);
    }
    pen.textAlign = "left";
  }

  find(event) {
    const bounds = this.canvas.getBoundingClientRect(), x = event.clientX - bounds.left, y = event.clientY - bounds.top;
    return this.bars.find((bar) => x >= bar.x && x <= bar.x + bar.width && y >= bar.y && y <= bar.y + 42);
  }
}
