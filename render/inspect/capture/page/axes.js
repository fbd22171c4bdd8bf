// The rows and columns of the grid, as far as they are open.
const closed = new Set();
const axes = { columns: "nodes", rows: "none", kinds: { texture: true, buffer: true, blob: false } };

const viewOf = (index) => (index && Object.keys(index).length ? Object.entries(index).map(([key, value]) => `${key} ${value}`).join(", ") : "shared");
const indexOf = (id) => Object.fromEntries((id.split("@")[1] || "").split(",").filter((part) => part.includes("=")).map((part) => part.split("=")));

// Neighbours with the same key become one column.
function columnsOf() {
  const keys = {
    nodes: (node) => node.id,
    passes: (node) => `pass ${capture.passOf.get(node.id)}`,
    plugins: (node) => owner(node.plugin),
    views: (node) => viewOf(node.index),
  };
  const key = keys[axes.columns], found = [];
  capture.order.forEach((node, at) => {
    const label = key(node), last = found[found.length - 1];
    if (last && axes.columns !== "nodes" && last.label === label) last.last = at;
    else found.push({ label, first: at, last: at, node, plugin: node.plugin, queue: node.queue });
  });
  for (const column of found) if (column.last > column.first) column.count = column.last - column.first + 1;
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
  for (const copy of item.kept ? copies.slice(0, 1) : copies.slice(0, 1)) {
    const [begin, end] = copy.arc;
    if (end - begin >= 2 * count) found.push([0, count, item.history]);
    else {
      found.push([begin, Math.min(end, count), false]);
      if (end > count) found.push([0, Math.min(end - count, count), true]);
    }
  }
  return found;
}
