// The first page: what the frame is, what is worth a look, and who pays.
const card = (value, words) => el("div", { class: "card" }, el("b", {}, value), el("span", {}, words));
const duration = (value) => (value === null ? "\u2013" : value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ms`);
const RULES = {
  "idle-memory": "waits in memory", "lonely-history": "history for one", "unread-history": "history not read", unread: "not read",
  "same-picture": "same picture", "heavy-plugin": "moves much", "wide-texture": "wide texture", reloaded: "stored and loaded", "idle-queue": "queue stands still", "slow-node": "takes long",
};

function overviewView() {
  const { plan, document } = capture, renders = plan.passes.filter((item) => item.render).length, times = document.times;
  const numbers = [
    card(plan.nodes.length, "nodes"), card(`${renders}`, `render passes, of ${plan.passes.length}`), card(capture.resources.size, "resources"),
    card(bytes(capture.heapBytes), "in heaps"), card(bytes(capture.moved), "moved, about"), card(capture.barrierCount, "barriers, even frame"),
  ];
  if (document.queues.used.length > 1) numbers.push(card(document.queues.waits.length, "waits between queues"));
  if (times && times.gpu_ms !== null) numbers.push(card(duration(times.gpu_ms), "on the GPU, a frame"));
  if (times) numbers.push(card(duration(times.cpu_ms), times.cpu_ms === null ? "frame loop, not measured" : "frame loop, with its waits"));
  if (plan.removed.length) numbers.push(card(plan.removed.length, "nodes left out"));
  const last = capture.pictures.filter((picture) => capture.resources.get(picture.resource)?.sink).pop();
  const problems = [...plan.errors.map((one) => ["bad", one]), ...plan.notes.map((one) => ["", one])];
  return el("div", { class: "scroll pad" },
    el("div", { class: "cards" }, numbers),
    el("div", { class: "columns" },
      el("div", {},
        el("section", { class: "block" }, el("h3", {}, "Worth a look", el("span", { class: "dim" }, document.findings.length ? `${capture.causes.length}, by what they cost; of each kind the most expensive first` : "")),
          document.findings.length ? [...grouped(capture.causes, (rows) => (rows.find((one) => one.of) || rows[0]).of || "")].map(([of, causes]) => costing(of, causes)) : el("p", { class: "calm" }, "No rule has found anything: no memory that waits, no queue that stands still, no pass that loads what the last one stored.")),
        problems.length ? el("section", { class: "block" }, el("h3", {}, "What the compiler says"), folded([...grouped(problems, ([kind, one]) => kind + one.code).values()].map((rows) => foldedBelow(rows, problemCard, (others) => `${others.length} more like this`)), 6)) : null),
      el("div", {},
        last ? el("section", { class: "block" }, el("h3", {}, "The picture"), el("div", { class: "shots", style: { gridTemplateColumns: "minmax(0, 640px)" } }, shot(last, true))) : null,
        ...costs())));
}

// What the share of a finding is of: in a heading, and on a card.
const COSTS = {
  gpu_time: ["Time on the GPU", "of the nodes' time"], planned_time: ["Queues", "of the planned time"],
  moved: ["Bytes moved", "of all moved"], memory: ["Memory", "of the heaps"], "": ["Without a known cost", ""],
};

// The findings that cost the same kind of thing, a card for each cause.
function costing(of, causes) {
  const [title] = COSTS[of] || [shown(of)];
  return el("div", { class: "costing", "data-of": of }, el("h4", {}, title), folded(causes.map((rows) => foldedBelow(rows, findingCard, cause)), 5));
}

// Rows of which the first one is shown, and the others are folded below it.
function foldedBelow([first, ...others], make, words) {
  return others.length ? el("div", {}, make(first), el("details", { class: "more same" }, el("summary", {}, words(others, first)), others.map(make))) : make(first);
}

// What is folded below a finding, with its cost if that is of another kind.
function cause(others, first) {
  const words = [...grouped(others, (one) => one.rule)].map(([rule, rows]) => {
    const cost = rows.length === 1 && rows[0].of !== first.of && rows[0].share ? `, ${percent(rows[0].share)} ${COSTS[rows[0].of][1]}` : "";
    return `${RULES[rule] || shown(rule)}${rows.length > 1 ? ` (${rows.length})` : ""}${cost}`;
  });
  return `${others.length} more of the same cause: ${words.join(", ")}`;
}

const problemCard = ([kind, one]) => el("div", { class: "finding" }, el("span", { class: "rule" }, shown(one.code)), el("span", {}, prose(one.message)), el("span", { class: kind ? "tag bad" : "tag" }, kind ? "error" : "note"), one.hint ? el("span", { class: "hint" }, prose(one.hint)) : null);

function folded(rows, most) {
  if (rows.length <= most) return rows;
  return [...rows.slice(0, most), el("details", { class: "more" }, el("summary", {}, `${rows.length - most} more`), rows.slice(most))];
}

function findingCard(finding) {
  const [, share] = COSTS[finding.of || ""] || [];
  const of = `${percent(finding.share)} ${share || ""}`;
  const cost = finding.bytes ? [bytes(finding.bytes), el("small", {}, of)] : finding.share ? [percent(finding.share), el("small", {}, share || "")] : "";
  return el("article", { class: "finding" }, el("span", { class: "rule" }, RULES[finding.rule] || shown(finding.rule)), el("span", {}, prose(finding.message), "."), el("span", { class: "cost" }, cost), el("span", { class: "hint" }, prose(finding.hint), finding.hint.endsWith("?") ? "" : "."));
}

function costs() {
  const rows = capture.document.plugins, kinds = [];
  if (rows.some((row) => row.gpu_ms)) kinds.push(["Time on the GPU by plugin", (row) => row.gpu_ms || 0, inMs]);
  kinds.push(["Bytes moved by plugin", (row) => row.bytes_read + row.bytes_written, bytes], ["Memory of resources by plugin", (row) => row.memory, bytes]);
  return kinds.map(([title, value, words]) => {
    const sorted = rows.filter((row) => value(row) > 0).sort((a, b) => value(b) - value(a)), whole = sorted.reduce((sum, row) => sum + value(row), 0);
    if (!sorted.length) return null;
    const most = value(sorted[0]);
    return el("section", { class: "block" }, el("h3", {}, title), el("div", { class: "costs" }, sorted.slice(0, 9).map((row) => el("div", { class: "row", onclick: () => choose("plugin", owner(row.plugin)) },
      el("span", { title: shown(owner(row.plugin)) }, swatch(row.plugin), shown(owner(row.plugin), 40)), el("span", { class: "meter" }, el("i", { style: { width: `${(100 * value(row)) / most}%`, background: color(row.plugin) } })), el("span", { class: "num" }, `${words(value(row))} ${""}`, el("span", { class: "dim" }, percent(value(row) / whole)))))));
  });
}
