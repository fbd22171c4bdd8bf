// The rows and columns of the grid, as far as they are open.
const closed = new Set();
const axes = { columns: "nodes", rows: "none", kinds: { texture: true, buffer: true, blob: false } };

const viewOf = (index) => (index && Object.keys(index).length ? Object.entries(index).map(([key, value]) => `${key} ${value}`).join(", ") : "shared");
const indexOf = (id) => Object.fromEntries((id.split("@")[1] || "").split(",").filter((part) => part.includes("=")).map((part) => part.split("=")));

// The numbers of the nodes that use something of a kind that is shown.
function nodesInSight() {
  const found = new Set();
  for (const item of capture.resources.values()) {
    if (axes.kinds[item.kind]) for (const node of (capture.cells.get(item.id) || new Map()).keys()) found.add(node);
  }
  return found;
}

// Neighbours with the same key become one column. Nodes that would have no cell have no column.
function columnsOf() {
  const keys = {
    nodes: (node) => node.id,
    passes: (node) => `pass ${capture.passOf.get(node.id)}`,
    plugins: (node) => owner(node.plugin),
    views: (node) => viewOf(node.index),
  };
  const key = keys[axes.columns], found = [], used = nodesInSight();
  capture.order.forEach((node, at) => {
    if (!used.has(at)) return;
    const label = key(node), last = found[found.length - 1];
    if (last && axes.columns !== "nodes" && last.label === label) { last.last = at; last.count = (last.count || 1) + 1; } else found.push({ label, first: at, last: at, node, plugin: node.plugin, queue: node.queue });
  });
  return found;
}

// The column of each node, by number: of one without a column the next one, which may be beyond the last.
function columnsByNode(columns) {
  const found = new Map();
  let column = 0;
  for (let node = 0; node < capture.order.length; node++) {
    while (column < columns.length && columns[column].last < node) column++;
    found.set(node, column);
  }
  return found;
}

function firstUse(item) {
  const row = capture.cells.get(item.id);
  return row ? Math.min(...row.keys()) : 1e9;
}

function rowsOf() {
  const items = [...capture.resources.values()].filter((item) => axes.kinds[item.kind]);
  for (const item of items) item.begin = item.begin ?? firstUse(item);
  items.sort((a, b) => a.begin - b.begin);
  const key = { none: null, plugins: (item) => owner(item.plugin), views: (item) => viewOf(indexOf(item.id)), kinds: (item) => item.kind }[axes.rows];
  if (!key) return items.map((item) => ({ items: [item], label: item.id, item }));
  const rows = [];
  for (const [label, members] of grouped(items, key)) {
    const group = `${axes.rows}:${label}`, shut = closed.has(group);
    rows.push({ items: members, label, group, shut, plugin: axes.rows === "plugins" ? members[0].plugin : null });
    if (!shut) rows.push(...members.map((item) => ({ items: [item], label: item.id, item, inside: true })));
  }
  return rows;
}

const groups = () => (axes.rows === "none" ? [] : rowsOf().filter((row) => row.group).map((row) => row.group));

// Where a copy is alive within one frame: [first, last + 1, of an earlier frame].
function lives(item) {
  const count = capture.order.length, found = [];
  const copies = Object.values(item.copies || {});
  for (const copy of copies.slice(0, 1)) {
    const [begin, end] = copy.arc;
    if (end - begin >= 2 * count) found.push([0, count, item.history]);
    else {
      found.push([begin, Math.min(end, count), false]);
      if (end > count) found.push([0, Math.min(end - count, count), true]);
    }
  }
  return found;
}
