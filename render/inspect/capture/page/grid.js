// Resources down, nodes across: reads, writes, histories, lives, barriers. One canvas, drawn as far as it is in sight.
const TILT = Math.PI / 2.6, SLOPE = Math.sin(TILT);
const LOWEST_HEAD = 96, HIGHEST_HEAD = 168;
const headOf = (column) => (column.count ? `${brief(column.label)} (${column.count})` : brief(column.label));

class Grid {
  constructor() {
    this.size = { name: 232, head: 128, row: 20, column: 18 };
    this.canvas = el("canvas", { role: "img" });
    this.room = el("div", { class: "room" });
    this.box = el("div", { id: "gridbox", tabindex: "0" }, this.canvas, this.room);
    this.hover = null;
    this.options = { lives: true, barriers: true };
    this.box.addEventListener("scroll", () => this.draw());
    this.box.addEventListener("mousemove", (event) => this.point(event));
    this.box.addEventListener("mouseleave", () => { this.hover = null; tip(null); this.draw(); });
    this.box.addEventListener("click", (event) => this.click(event));
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("wheel", (event) => { if (event.ctrlKey) { event.preventDefault(); this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2); } }, { passive: false });
    new ResizeObserver(() => { if (this.box.isConnected) this.draw(); }).observe(this.box);
    this.layout();
  }

  layout() {
    this.columns = columnsOf();
    this.rows = rowsOf();
    this.columnOf = columnsByNode(this.columns);
    const count = capture.order.length, all = axes.columns === "nodes" && this.columns.length < count ? ` of ${count}` : "";
    this.words = [`${many(this.rows.filter((one) => one.item).length, "resource")} down`, `${this.columns.length}${all} ${axes.columns} across, in order`];
    this.canvas.setAttribute("aria-label", this.words.join(", "));
    this.ticks = new Map();
    for (const barrier of capture.barriers) {
      if (barrier.frame !== 0) continue;
      const pass = capture.plan.passes[barrier.before_pass];
      const node = pass ? capture.nodes.get(barrier.behind ? pass.nodes[pass.nodes.length - 1] : pass.nodes[0]) : null;
      const at = node ? this.columnOf.get(node.number) + (barrier.behind ? 1 : 0) : this.columns.length;
      if (!this.ticks.has(barrier.resource)) this.ticks.set(barrier.resource, new Map());
      const row = this.ticks.get(barrier.resource);
      row.set(at, (row.get(at) || 0) + 1);
    }
    this.fit();
    this.draw();
  }

  fit() {
    const pen = this.canvas.getContext("2d");
    pen.font = this.font(11.5);
    const longest = Math.max(0, ...this.columns.map((one) => pen.measureText(headOf(one)).width));
    this.size.head = Math.round(Math.max(LOWEST_HEAD, Math.min(HIGHEST_HEAD, longest * SLOPE + 22)));
    const { name, head, row, column } = this.size;
    this.room.style.width = `${name + this.columns.length * column + 30}px`;
    this.room.style.height = `${head + this.rows.length * row + 20}px`;
  }

  zoom(factor) {
    this.size.column = Math.min(60, Math.max(3, this.size.column * factor));
    this.fit();
    this.draw();
  }

  draw() {
    cancelAnimationFrame(this.asked);
    this.asked = requestAnimationFrame(() => this.paint());
  }

  paint() {
    const width = this.box.clientWidth, height = this.box.clientHeight, ratio = devicePixelRatio || 1;
    if (!width || !height) return;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    const pen = this.canvas.getContext("2d"), { name, head, row, column } = this.size;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = token("--panel");
    pen.fillRect(0, 0, width, height);
    const left = this.box.scrollLeft, top = this.box.scrollTop;
    const seen = {
      columns: [Math.floor(left / column), Math.min(this.columns.length, Math.ceil((left + width - name) / column) + 1)],
      rows: [Math.floor(top / row), Math.min(this.rows.length, Math.ceil((top + height - head) / row) + 1)],
    };
    const x = (at) => name + at * column - left, y = (at) => head + at * row - top;
    pen.save();
    pen.beginPath();
    pen.rect(name, head, width - name, height - head);
    pen.clip();
    this.ground(pen, seen, x, y, width, height);
    for (let at = seen.rows[0]; at < seen.rows[1]; at++) this.cells(pen, this.rows[at], x, y(at), seen.columns);
    pen.restore();
    this.names(pen, seen, y, height);
    this.heads(pen, seen, x, width);
    pen.fillStyle = token("--panel");
    pen.fillRect(0, 0, name, head);
    pen.fillStyle = token("--line");
    pen.fillRect(0, head - 1, width, 1);
    pen.fillRect(name - 1, 0, 1, height);
    this.corner(pen);
  }

  corner(pen) {
    pen.font = this.font(11.5);
    pen.fillStyle = token("--dim");
    pen.fillText(this.words[0], 14, this.size.head - 30);
    pen.fillText(this.words[1], 14, this.size.head - 13);
  }

  font(size, weight = 400) { return `${weight} ${size}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`; }

  ground(pen, seen, x, y, width, height) {
    const { column, row, head } = this.size;
    for (let at = seen.columns[0]; at < seen.columns[1]; at++) {
      const one = this.columns[at];
      if (capture.passOf.get(one.node.id) % 2) { pen.fillStyle = token("--band"); pen.fillRect(x(at), head, column, height); }
      if (one.queue !== "graphics") { pen.fillStyle = color("queue " + one.queue, 0.1); pen.fillRect(x(at), head, column, height); }
      if (this.isChosen(one)) { pen.fillStyle = token("--accent-soft"); pen.fillRect(x(at), head, column, height); }
    }
    for (let at = seen.rows[0]; at < seen.rows[1]; at++) {
      const one = this.rows[at];
      if (one.group) { pen.fillStyle = token("--raised"); pen.fillRect(0, y(at), width, row); }
      if (one.item && one.item.id === state.resource) { pen.fillStyle = token("--accent-soft"); pen.fillRect(0, y(at), width, row); }
    }
    if (this.hover) {
      pen.fillStyle = token("--band");
      pen.fillRect(0, y(this.hover.row), width, row);
      pen.fillRect(x(this.hover.column), head, column, height);
    }
  }

  isChosen(column) {
    const node = state.node && capture.nodes.get(state.node);
    return (node && node.number >= column.first && node.number <= column.last) || (state.plugin !== null && state.plugin === owner(column.plugin));
  }

  cells(pen, one, x, y, [from, to]) {
    const { row, column } = this.size, middle = y + row / 2;
    const dim = state.query && !one.items.some((item) => matches(item.id + " " + item.plugin));
    pen.globalAlpha = dim ? 0.22 : 1;
    if (this.options.lives && one.item) {
      for (const [begin, end, past] of lives(one.item)) {
        if (end <= begin) continue;
        const start = x(this.columnOf.get(begin)), stop = x(Math.min(this.columns.length, this.columnOf.get(end - 1) + 1));
        pen.fillStyle = token(past ? "--past" : "--life");
        pen.fillRect(start + 1, middle - 3, Math.max(1, stop - start - 2), 6);
      }
    }
    const found = new Map();
    for (const item of one.items) {
      for (const [node, flags] of capture.cells.get(item.id) || []) {
        const at = this.columnOf.get(node);
        if (at >= from && at < to) found.set(at, (found.get(at) || 0) | flags);
      }
    }
    const size = Math.max(2, Math.min(column - 2, row - 6, 15));
    for (const [at, flags] of found) this.mark(pen, x(at) + column / 2, middle, size, flags);
    if (this.options.barriers && column >= 5) {
      pen.fillStyle = token("--barrier");
      for (const item of one.items) {
        for (const at of (this.ticks.get(item.id) || new Map()).keys()) {
          if (at >= from && at <= to) pen.fillRect(x(at) - 1, y + 2, 2, row - 4);
        }
      }
    }
    pen.globalAlpha = 1;
  }

  mark(pen, x, y, size, flags) {
    const half = size / 2;
    if (flags & 20) {
      pen.beginPath();
      pen.moveTo(x, y - half - 1); pen.lineTo(x + half + 1, y); pen.lineTo(x, y + half + 1); pen.lineTo(x - half - 1, y);
      pen.closePath();
      pen.fillStyle = token(flags & 4 ? "--history" : "--panel");
      pen.fill();
      if (!(flags & 4)) this.hollow(pen, "--history");
    } else if (flags === 8) {
      pen.beginPath();
      pen.rect(x - half + 1, y - half + 1, size - 2, size - 2);
      this.hollow(pen, "--read");
    }
    if (!(flags & 3)) return;
    const inner = flags & 4 ? size * 0.55 : size;
    pen.fillStyle = token(flags & 2 ? "--write" : "--read");
    pen.fillRect(x - inner / 2, y - inner / 2, inner, inner);
    if ((flags & 3) === 3) {
      pen.fillStyle = token("--read");
      pen.beginPath();
      pen.moveTo(x - inner / 2, y - inner / 2); pen.lineTo(x + inner / 2, y - inner / 2); pen.lineTo(x - inner / 2, y + inner / 2);
      pen.fill();
    }
  }

  // The outline of what is requested and not read.
  hollow(pen, shade) {
    pen.strokeStyle = token(shade);
    pen.lineWidth = 1.5;
    pen.stroke();
  }

  names(pen, seen, y, height) {
    const { name, row, head } = this.size;
    pen.save();
    pen.beginPath();
    pen.rect(0, head, name, height - head);
    pen.clip();
    pen.textBaseline = "middle";
    pen.fillStyle = token("--panel");
    pen.fillRect(0, head, name, height);
    for (let at = seen.rows[0]; at < seen.rows[1]; at++) {
      const one = this.rows[at], top = y(at);
      const on = this.hover && this.hover.row === at, chosen = one.item && one.item.id === state.resource;
      if (one.group || on || chosen) { pen.fillStyle = token(chosen ? "--accent-soft" : "--raised"); pen.fillRect(0, top, name, row); }
      pen.globalAlpha = state.query && !one.items.some((item) => matches(item.id + " " + item.plugin)) ? 0.3 : 1;
      pen.fillStyle = color(one.item ? one.item.plugin : one.plugin || "");
      if (one.item) pen.fillRect(one.inside ? 22 : 10, top + row / 2 - 4, 8, 8);
      pen.fillStyle = token(one.item && one.item.kind === "blob" ? "--dim" : "--text");
      pen.font = this.font(12, one.group || chosen ? 650 : 400);
      const text = one.group ? `${one.shut ? "\u25b8" : "\u25be"} ${one.label} (${one.items.length})` : one.label;
      pen.fillText(fitted(pen, brief(text), name - (one.group ? 20 : one.inside ? 46 : 34)), one.group ? 10 : one.inside ? 36 : 24, top + row / 2 + 0.5);
      pen.globalAlpha = 1;
    }
    pen.restore();
  }

  heads(pen, seen, x, width) {
    const { name, head, column } = this.size;
    pen.save();
    pen.beginPath();
    pen.rect(name, 0, width - name, head);
    pen.clip();
    pen.fillStyle = token("--panel");
    pen.fillRect(name, 0, width, head);
    for (let at = seen.columns[0]; at < seen.columns[1]; at++) {
      const one = this.columns[at], dim = state.query && !matches(one.label + " " + one.plugin);
      pen.globalAlpha = dim ? 0.25 : 1;
      pen.fillStyle = color(one.plugin);
      pen.fillRect(x(at) + 0.5, head - 6, Math.max(1, column - 1), 4);
      const on = this.hover && this.hover.column === at, chosen = this.isChosen(one);
      if (column < 11 && !on && !chosen) continue;
      pen.save();
      pen.translate(x(at) + column / 2 + 4, head - 11);
      pen.rotate(-TILT);
      pen.font = this.font(11.5, on || chosen ? 650 : 400);
      pen.fillStyle = token(chosen ? "--accent" : on ? "--text" : "--dim");
      pen.fillText(fitted(pen, headOf(one), (head - 18) / SLOPE), 0, 0);
      pen.restore();
    }
    pen.globalAlpha = 1;
    pen.restore();
  }

  at(event) {
    const bounds = this.box.getBoundingClientRect(), { name, head, row, column } = this.size;
    const inX = event.clientX - bounds.left, inY = event.clientY - bounds.top;
    const column_ = inX < name ? -1 : Math.floor((inX - name + this.box.scrollLeft) / column);
    const row_ = inY < head ? -1 : Math.floor((inY - head + this.box.scrollTop) / row);
    return { column: column_ < this.columns.length ? column_ : -1, row: row_ < this.rows.length ? row_ : -1 };
  }

  point(event) {
    const at = this.at(event), row = this.rows[at.row], column = this.columns[at.column];
    this.hover = at;
    const lines = [];
    if (column) lines.push(el("b", {}, shown(column.label)), el("span", { class: "dim" }, `${owner(column.plugin)}, ${column.queue} queue, pass ${capture.passOf.get(column.node.id)}`));
    if (row) lines.push(el("b", {}, shown(row.label)), el("span", { class: "dim" }, row.item ? describe(row.item) : many(row.items.length, "resource")));
    if (row && column) {
      const uses = row.items.flatMap((item) => capture.ofResource.get(item.id) || []).filter((access) => inColumn(access, column));
      for (const access of uses.slice(0, 4)) lines.push(el("span", {}, verbMark(access), doing(access)));
    }
    tip(lines.length ? lines : null, event);
    this.box.style.cursor = lines.length ? "pointer" : "default";
    this.draw();
  }

  click(event) {
    tip(null);
    const at = this.at(event), row = this.rows[at.row], column = this.columns[at.column];
    if (row && row.group) { closed.has(row.group) ? closed.delete(row.group) : closed.add(row.group); this.layout(); return; }
    if (column && row && row.items.some((item) => (capture.ofResource.get(item.id) || []).some((access) => inColumn(access, column)))) choose("node", column.node.id);
    else if (row && at.column >= 0) choose("resource", row.item.id);
    else if (row) choose("resource", row.item.id);
    else if (column) choose("node", column.node.id);
  }

  key(event) {
    const across = { ArrowLeft: -1, ArrowRight: 1, h: -1, l: 1 }[event.key], down = { ArrowUp: -1, ArrowDown: 1, k: -1, j: 1 }[event.key];
    if (!across && !down) return;
    event.preventDefault();
    if (across) {
      const now = state.node ? this.columnOf.get(capture.nodes.get(state.node).number) : -1;
      choose("node", this.columns[clamp(now + across, this.columns.length)].node.id);
    } else {
      const items = this.rows.filter((row) => row.item), now = items.findIndex((row) => row.item.id === state.resource);
      if (items.length) choose("resource", items[clamp(now + down, items.length)].item.id);
    }
    this.reveal();
  }

  // Scroll to what is selected.
  reveal() {
    const { name, head, row, column } = this.size, box = this.box;
    if (state.node) {
      const x = this.columnOf.get(capture.nodes.get(state.node).number) * column;
      if (x < box.scrollLeft || x > box.scrollLeft + box.clientWidth - name - 2 * column) box.scrollLeft = x - (box.clientWidth - name) / 2;
    }
    const at = this.rows.findIndex((one) => one.item && one.item.id === state.resource);
    if (at >= 0 && (at * row < box.scrollTop || at * row > box.scrollTop + box.clientHeight - head - 2 * row)) box.scrollTop = at * row - (box.clientHeight - head) / 2;
  }
}

const clamp = (at, count) => Math.max(0, Math.min(count - 1, at));
const inColumn = (access, column) => { const at = capture.nodes.get(access.node).number; return at >= column.first && at <= column.last; };
