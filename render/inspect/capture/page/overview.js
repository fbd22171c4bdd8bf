// The first page: what the frame is, what is worth a look, and who pays.
const card = (value, words) => el("div", { class: "card" }, el("b", {}, value), el("span", {}, words));
const duration = (value) => (value === null ? "\u2013" : value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ms`);
const RULES = {
  "idle-memory": "waits in memory", "lonely-history": "history for one", "unread-history": "history not read", unread: "not read",
  "same-picture": "same picture", "heavy-plugin": "moves much", "wide-texture": "wide texture", reloaded: "stored and loaded", "idle-queue": "queue stands still", "slow-node": "takes long",
};

function overviewView() {
  const { plan, document } = capture, renders = plan.passes.filter((item) => item.render).length, times = document.times;
  const barriers = plan.barriers.filter((one) => one.frame === 0);
  const numbers = [
    card(plan.nodes.length, "nodes"), card(`${renders}`, `render passes, of ${plan.passes.length}`), card(capture.resources.size, "resources"),
    card(bytes(capture.heapBytes), "in heaps"), card(bytes(capture.moved), "moved, about"), card(barriers.length, "barriers"),
  ];
  if (document.queues.used.length > 1) numbers.push(card(document.queues.waits.length, "waits between queues"));
  if (times && times.gpu_ms !== null) numbers.push(card(duration(times.gpu_ms), "on the GPU, a frame"));
  if (times) numbers.push(card(duration(times.cpu_ms), "frame loop, with its waits"));
  if (plan.removed.length) numbers.push(card(plan.removed.length, "nodes left out"));
  const last = capture.pictures.filter((picture) => capture.resources.get(picture.resource)?.sink).pop();
  const problems = [...plan.errors.map((one) => ["bad", one]), ...plan.notes.map((one) => ["", one])];
  return el("div", { class: "scroll pad" },
    el("div", { class: "cards" }, numbers),
    el("div", { class: "columns" },
      el("div", {},
        el("section", { class: "block" }, el("h3", {}, "Worth a look", el("span", { class: "dim" }, document.findings.length ? `${document.findings.length}, the most expensive first` : "")),
          document.findings.length ? folded(alike(document.findings, (one) => [one.rule, ...one.nodes, ...one.resources].map(plainly).join(), findingCard), 8) : el("p", { class: "calm" }, "No rule has found anything: no memory that waits, no queue that stands still, no pass that loads what the last one stored.")),
        problems.length ? el("section", { class: "block" }, el("h3", {}, "What the compiler says"), folded(alike(problems, ([kind, one]) => kind + one.code, problemCard), 6)) : null),
      el("div", {},
        last ? el("section", { class: "block" }, el("h3", {}, "The picture"), el("div", { class: "shots", style: { gridTemplateColumns: "1fr" } }, shot(last, true))) : null,
        ...costs())));
}

const plainly = (id) => String(id).split("@")[0];

// A card for each of the rows; those alike, such as those of other views, are folded below the first one.
function alike(rows, key, make) {
  return [...grouped(rows, key).values()].flatMap(([first, ...others]) => [make(first), others.length ? el("details", { class: "more same" }, el("summary", {}, `${others.length} more like this`), others.map(make)) : null]).filter(Boolean);
}

const problemCard = ([kind, one]) => el("div", { class: "finding" }, el("span", { class: "rule" }, shown(one.code)), el("span", {}, prose(one.message)), el("span", { class: kind ? "tag bad" : "tag" }, kind ? "error" : "note"), one.hint ? el("span", { class: "hint" }, prose(one.hint)) : null);

function folded(rows, most) {
  if (rows.length <= most) return rows;
  return [...rows.slice(0, most), el("details", { class: "more" }, el("summary", {}, `${rows.length - most} more`), rows.slice(most))];
}

function findingCard(finding) {
  const cost = finding.bytes ? [bytes(finding.bytes), el("small", {}, percent(finding.share))] : finding.share ? [percent(finding.share), el("small", {}, "of the frame")] : "";
  return el("article", { class: "finding" }, el("span", { class: "rule" }, RULES[finding.rule] || shown(finding.rule)), el("span", {}, prose(finding.message), "."), el("span", { class: "cost" }, cost), el("span", { class: "hint" }, prose(finding.hint), "."));
}

function costs() {
  const rows = capture.document.plugins, kinds = [];
  if (rows.some((row) => row.gpu_ms)) kinds.push(["Time on the GPU by plugin", (row) => row.gpu_ms || 0, (value) => `${ms(value)} ms`]);
  kinds.push(["Bytes moved by plugin", (row) => row.bytes_read + row.bytes_written, bytes], ["Memory of resources by plugin", (row) => row.memory, bytes]);
  return kinds.map(([title, value, words]) => {
    const sorted = rows.filter((row) => value(row) > 0).sort((a, b) => value(b) - value(a)), whole = sorted.reduce((sum, row) => sum + value(row), 0);
    if (!sorted.length) return null;
    const most = value(sorted[0]);
    return el("section", { class: "block" }, el("h3", {}, title), el("div", { class: "costs" }, sorted.slice(0, 9).map((row) => el("div", { class: "row", onclick: () => choose("plugin", owner(row.plugin)) },
      el("span", { title: shown(owner(row.plugin)) }, swatch(row.plugin), shown(owner(row.plugin), 40)), el("span", { class: "meter" }, el("i", { style: { width: `${(100 * value(row)) / most}%`, background: color(row.plugin) } })), el("span", { class: "num" }, `${words(value(row))} ${""}`, el("span", { class: "dim" }, percent(value(row) / whole)))))));
  });
}
