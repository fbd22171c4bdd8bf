// Views, search, keys, and the start.
const views = [];
let grid = null, shownView = null, current = null;

function frameView() {
  grid = grid || new Grid();
  const pick = (title, key, choices) => el("label", {}, title, el("select", { onchange: (event) => { axes[key] = event.target.value; grid.layout(); } }, choices.map((choice) => el("option", { value: choice, selected: axes[key] === choice }, choice))));
  const check = (title, on, set) => el("label", {}, el("input", { type: "checkbox", checked: on, onchange: (event) => { set(event.target.checked); grid.layout(); } }), title);
  const bar = el("div", { class: "bar" },
    pick("across", "columns", ["nodes", "passes", "plugins", "views"]), pick("down, by", "rows", ["none", "plugins", "views", "kinds"]),
    el("button", { type: "button", onclick: () => { const all = groups(), shut = all.some((group) => !closed.has(group)); all.forEach((group) => (shut ? closed.add(group) : closed.delete(group))); grid.layout(); } }, "fold all"),
    ...["texture", "buffer", "blob"].map((kind) => check(kind === "blob" ? "values" : `${kind}s`, axes.kinds[kind], (on) => { axes.kinds[kind] = on; })),
    check("lives", grid.options.lives, (on) => { grid.options.lives = on; }), check("barriers", grid.options.barriers, (on) => { grid.options.barriers = on; }),
    el("span", { class: "grow" }), el("button", { type: "button", title: "Narrower ([)", onclick: () => grid.zoom(1 / 1.3) }, "\u2212"), el("button", { type: "button", title: "Wider (])", onclick: () => grid.zoom(1.3) }, "+"));
  requestAnimationFrame(() => { grid.layout(); grid.reveal(); });
  return [bar, grid.box];
}

const listed = (make) => () => { const table = make(); current = table; return [table.box]; };

function makeViews() {
  const plan = capture.plan;
  views.splice(0, views.length, ...comparisonViews(), ...[
    { id: "overview", title: "Overview", count: capture.causes.length, about: "what is worth a look, by cause", make: () => [overviewView()] },
    { id: "frame", title: "Frame", make: frameView },
    { id: "memory", title: "Memory", count: bytes(capture.heapBytes), make: () => [heapsView()] },
    { id: "queues", title: "Queues", count: capture.document.queues.used.length, make: () => [queuesView()] },
    { id: "pictures", title: "Pictures", count: capture.writes.length, about: "writes; one of several mips or layers has a picture of each", make: () => { current = picturesView(); return [current]; } },
    { id: "plugins", title: "Plugins", count: capture.document.plugins.length, make: timed(pluginsList) },
    { id: "nodes", title: "Nodes, order", count: plan.nodes.length, make: timed(nodesList) },
    { id: "resources", title: "Resources", count: capture.resources.size, make: listed(resourcesList) },
    { id: "passes", title: "Passes", count: plan.passes.length, make: listed(passesList) },
    { id: "barriers", title: "Barriers", count: capture.barrierCount, about: "barriers of an even frame in which all nodes run", make: barriersView },
    { id: "removed", title: "Left out", count: plan.removed.length, make: listed(removedList) },
    { id: "settings", title: "Settings", make: () => [settingsView()] },
  ]);
}

function drawViews() {
  const button = (view) => el("button", { type: "button", "aria-current": view.id === state.view ? "page" : null, title: view.about, onclick: () => go({ view: view.id }) }, view.title, el("span", { class: "count" }, view.count === undefined ? "" : String(view.count)));
  const first = comparisonViews().length;
  $("views").replaceChildren(
    ...views.slice(0, first).map(button), ...sideChoice(), ...views.slice(first).map(button),
    ...(state.view === "frame" ? [legend()] : []));
}

function legend() {
  const mixed = `linear-gradient(135deg, ${token("--read")} 50%, ${token("--write")} 50%)`;
  const rows = [[token("--read"), "read"], [token("--write"), "written"], [mixed, "read and written"], [token("--history"), "reads a history"]];
  const marks = rows.map(([background, words]) => el("span", {}, el("i", { style: { background } }), words));
  if (capture.document.accesses.some((access) => access.unread)) marks.push(el("span", {}, el("i", { class: "hollow" }), "requested, not read"));
  const areas = [[token("--life"), "alive"], [token("--past"), "alive for a history"], [token("--barrier"), "barrier"]];
  if (capture.document.queues.used.some((queue) => queue !== "graphics")) areas.push([color("queue", 0.25), "column: another queue"]);
  areas.push([token("--raised"), "column: every other pass"]);
  return el("div", { class: "legend" }, marks, areas.map(([background, words]) => el("span", {}, el("i", { style: { background } }), words)));
}

function drawMain() {
  if (shownView !== state.view) {
    shownView = state.view;
    current = null;
    tip(null);
    $("main").replaceChildren(...views.find((view) => view.id === state.view).make());
  } else if (current && current.draw) current.draw();
  if (grid && state.view === "frame") { grid.draw(); }
}

function search() {
  state.query = $("search").value.trim().toLowerCase();
  if (current && current.filter) current.filter();
  drawMain();
  const found = !state.query ? [] : [
    ...[...capture.nodes.keys()].filter(matches).map((id) => ["node", id]),
    ...[...capture.resources.keys()].filter(matches).map((id) => ["resource", id]),
    ...capture.document.plugins.map((row) => owner(row.plugin)).filter(matches).map((id) => ["plugin", id]),
  ];
  const hits = $("hits"), first = found.slice(0, 14);
  hits.hidden = !state.query || document.activeElement !== $("search");
  hits.replaceChildren(...first.map(([kind, id], at) => el("li", { role: "option", "aria-selected": String(at === 0), onmousedown: (event) => { event.preventDefault(); pickHit(kind, id); } }, el("span", { class: "what" }, kind), el("span", { class: "name" }, shown(id)))));
  if (found.length > first.length) hits.append(el("li", { class: "dim" }, `and ${found.length - first.length} more`));
  if (!found.length) hits.append(el("li", { class: "dim none" }, "Nothing found: no node, resource or plugin has this in its name."));
  hits.first = first[0];
}

function pickHit(kind, id) {
  $("hits").hidden = true;
  choose(kind, id);
  if (grid && state.view === "frame") grid.reveal();
}

const KEYS = [["/", "search"], ["1 to 9", "views"], ["\u2190 \u2192 \u2191 \u2193 or h j k l", "the next node or resource, in the frame and in lists"], ["[ ]", "narrower and wider columns; also Ctrl and the wheel"], ["Esc", "close what is open"], ["T", "light or dark"], ["?", "this list"]];

function showKeys() {
  $("dialog").onkeydown = null;
  $("dialog").replaceChildren(el("div", { class: "inner" }, el("h2", {}, "Keys"), el("table", {}, KEYS.map(([key, words]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, words)))), el("button", { type: "button", onclick: () => $("dialog").close() }, "Close")));
  $("dialog").showModal();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  tokens.clear();
}

function switchTheme() {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  shownView = null;
  changed();
}

function keys(event) {
  const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
  if (event.key === "Escape" && !$("dialog").open) {
    if (document.activeElement === $("search")) { $("search").value = ""; search(); $("search").blur(); } else choose("node", null);
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || $("dialog").open) return;
  const view = views["123456789".indexOf(event.key)];
  if (event.key === "/") { event.preventDefault(); $("search").focus(); $("search").select(); }
  else if (event.key === "?") showKeys();
  else if (event.key === "t" || event.key === "T") switchTheme();
  else if (event.key === "[" && grid) grid.zoom(1 / 1.3);
  else if (event.key === "]" && grid) grid.zoom(1.3);
  else if (view && event.key.length === 1) go({ view: view.id });
}

function open(document_) {
  comparison = document_.kind === "diff" ? document_ : null;
  if (comparison) state.view = "changes";
  look(comparison ? comparison.after : document_);
}

// Show a capture in all views.
function look(document_) {
  capture = new Capture(document_);
  grid = null;
  shownView = null;
  watchers.length = 0;
  watchers.push(drawViews, drawMain, drawDetails);
  const { title, device, frame } = capture.document;
  const name = comparison ? comparison.title : title;
  $("title").textContent = shown(name);
  document.title = `${shown(name, 60)} \u2013 renderwright`;
  $("facts").textContent = [frame ? `frame ${frame.number}` : "a plan that was not played", device ? `${device.device} (${device.backend})` : "", capture.document.options.size ? capture.document.options.size.join("\u00d7") : ""].filter(Boolean).join("  \u00b7  ");
  makeViews();
  follow();
}

async function start() {
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => { setTheme(event.matches ? "dark" : "light"); shownView = null; changed(); });
  if (typeof DecompressionStream === "undefined") { $("main").append(el("p", { class: "pad" }, "This browser cannot unpack the page: it needs DecompressionStream (Chromium 80, Firefox 113, Safari 16.4).")); return; }
  const text = new TextDecoder().decode(await inflated($("data").textContent.trim()));
  open(JSON.parse(text));
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
  addEventListener("keydown", keys);
  $("search").addEventListener("input", search);
  $("search").addEventListener("focus", search);
  $("search").addEventListener("blur", () => { $("hits").hidden = true; });
  $("search").addEventListener("keydown", (event) => { if (event.key === "Enter" && $("hits").first) pickHit(...$("hits").first); });
  $("theme").addEventListener("click", switchTheme);
  $("keys").addEventListener("click", showKeys);
  $("dialog").addEventListener("click", (event) => { if (event.target === $("dialog")) $("dialog").close(); });
  document.documentElement.dataset.ready = "true";
}

start();
