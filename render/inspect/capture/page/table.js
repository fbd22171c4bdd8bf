// A list of any length: only the lines in sight are in the document.
const LINE = 28;

class Table {
  // `columns`: {title, width, value(row), cell(row), num}. `pick(row)` is [kind, id] of what a click selects.
  constructor(columns, rows, { text, pick, empty = "There is nothing here." } = {}) {
    this.columns = columns;
    this.rows = rows;
    this.text = text || ((row) => columns.map((column) => column.value(row)).join(" "));
    this.pick = pick;
    this.sorted = null;
    this.empty = empty;
    this.room = el("div", { class: "room" });
    this.head = el("div", { class: "head" }, columns.map((column, at) => el("span", { class: column.num ? "num" : "" }, el("button", { type: "button", onclick: () => this.sort(at) }, column.title))));
    this.box = el("div", { class: "table", tabindex: "0", role: "table" }, this.head, this.room);
    this.box.style.setProperty("--columns", columns.map((column) => column.width).join(" "));
    this.box.style.setProperty("--least", `${columns.reduce((sum, column) => sum + Number(/[0-9]+/.exec(column.width)[0]) + 14, 18)}px`);
    this.box.addEventListener("scroll", () => this.draw());
    this.box.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => { if (this.box.isConnected) this.draw(); }).observe(this.box);
    this.filter();
  }

  sort(at) {
    const down = this.sorted && this.sorted.at === at ? !this.sorted.down : Boolean(this.columns[at].num);
    this.sorted = { at, down };
    this.head.querySelectorAll("button").forEach((button, number) => {
      button.textContent = this.columns[number].title + (number === at ? (down ? " \u2193" : " \u2191") : "");
    });
    this.filter();
  }

  filter() {
    this.lines = this.rows.filter((row) => matches(this.text(row)));
    if (this.sorted) {
      const { at, down } = this.sorted, value = this.columns[at].value;
      this.lines = this.lines.slice().sort((a, b) => {
        const x = value(a), y = value(b);
        const order = typeof x === "number" || typeof y === "number" ? (x ?? -1) - (y ?? -1) : String(x).localeCompare(String(y));
        return down ? -order : order;
      });
    }
    this.room.style.height = `${Math.max(1, this.lines.length) * LINE}px`;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor((this.box.scrollTop - 32) / LINE) - 4);
    const last = Math.min(this.lines.length, first + Math.ceil((this.box.clientHeight || 800) / LINE) + 9);
    const made = [];
    for (let at = first; at < last; at++) made.push(this.line(this.lines[at], at));
    if (!this.lines.length) made.push(el("p", { class: "none" }, this.rows.length ? "Nothing matches the search." : this.empty));
    this.room.replaceChildren(...made);
  }

  line(row, at) {
    const picked = this.pick ? this.pick(row) : null;
    const chosen = picked && state[picked[0]] === picked[1];
    return el("div", { class: chosen ? "line chosen" : "line", role: "row", style: { top: `${at * LINE}px` }, onclick: (event) => { if (picked && !event.target.closest("a")) choose(...picked); } },
      this.columns.map((column) => {
        const content = column.cell ? column.cell(row) : shown(column.value(row) ?? "\u2013");
        return el("span", { class: column.num ? "num" : "", title: typeof content === "string" && content.length > 24 ? content : null }, content);
      }));
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (!step || !this.pick || !this.lines.length) return;
    event.preventDefault();
    const now = this.lines.findIndex((row) => { const picked = this.pick(row); return picked && state[picked[0]] === picked[1]; });
    const next = Math.min(this.lines.length - 1, Math.max(0, now < 0 ? 0 : now + step));
    const picked = this.pick(this.lines[next]);
    if (picked) choose(...picked);
    if (next * LINE < this.box.scrollTop) this.box.scrollTop = next * LINE;
    if ((next + 2) * LINE + 32 > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = (next + 2) * LINE + 32 - this.box.clientHeight;
  }
}
