// Two captures: what differs, and pictures side by side.
let comparison = null;

const change = (before, after, words, lower = true) => {
  if (before === null || after === null || before === undefined || after === undefined || before === after) return "";
  const more = after > before;
  return el("span", { class: more === lower ? "plus" : "minus" }, `${more ? "+" : "\u2212"}${words(Math.abs(after - before))}${before ? ` (${more ? "+" : "\u2212"}${percent(Math.abs(after / before - 1))})` : ""}`);
};
const inUnit = { bytes, ms: inMs, "": (value) => String(value) };
const told = (value, unit) => (value === null || value === undefined ? "\u2013" : inUnit[unit](value));
const STATES = { added: "bad", removed: "good", changed: "warn", moved: "" };

function comparisonView() {
  const { difference, names } = comparison, moved = difference.resources.filter((row) => row.state === "moved");
  const resources = difference.resources.filter((row) => row.state !== "moved");
  const numeric = /before$|after$|^change$/;
  const head = (...titles) => el("tr", {}, titles.map((title) => el("th", { class: numeric.test(title) ? "num" : null }, title)));
  const block = (title, rows, ...cells) => (rows.length ? el("section", { class: "block" }, el("h3", {}, title, el("span", { class: "dim" }, String(rows.length))), el("table", { class: "plain" }, ...cells)) : null);
  const state = (row) => el("td", {}, el("span", { class: `tag ${STATES[row.state]}` }, row.state));
  const named = (kind, row) => el("td", {}, swatch(row.plugin), (kind === "node" ? capture.nodes : capture.resources).has(row.id) ? link(kind, row.id) : el("span", { class: "name" }, shown(row.id)));
  const what = (row) => el("td", {}, row.what.slice(0, 8).flatMap((text, at) => [at ? "; " : "", ...prose(text)]));
  const numbers = (row, before, after, words) => [el("td", { class: "num" }, words(row[before])), el("td", { class: "num" }, words(row[after])), el("td", { class: "num" }, change(row[before], row[after], words))];
  const side = (value) => shown(value === null || value === undefined ? "\u2013" : typeof value === "object" ? JSON.stringify(value) : String(value), 300);
  return el("div", { class: "scroll pad" },
    el("table", { class: "plain" }, el("tr", {}, ["", shown(names[0], 40), shown(names[1], 40), "change"].map((title) => el("th", { class: "num" }, title))), difference.totals.filter((row) => row.before !== null || row.after !== null).map((row) => el("tr", {}, el("th", {}, row.what), el("td", { class: "num" }, told(row.before, row.unit)), el("td", { class: "num" }, told(row.after, row.unit)), el("td", { class: "num" }, change(row.before, row.after, inUnit[row.unit]))))),
    block("Nodes", difference.nodes, head("", "node", "moved before", "after", "change", "GPU before", "after", "what"), ...folds(difference.nodes, (row) => el("tr", {}, state(row), named("node", row), ...numbers(row, "bytes_before", "bytes_after", bytes), el("td", { class: "num" }, told(row.gpu_before, "ms")), el("td", { class: "num" }, told(row.gpu_after, "ms")), what(row)))),
    block("Resources", resources, head("", "resource", "bytes before", "after", "change", "what"), ...folds(resources, (row) => el("tr", {}, state(row), named("resource", row), ...numbers(row, "size_before", "size_after", bytes), what(row)))),
    moved.length ? el("details", { class: "more" }, el("summary", {}, `${many(moved.length, "resource")} only lie elsewhere in memory, or live at another time`), el("p", {}, moved.slice(0, 400).flatMap((row, at) => [at ? ", " : "", link("resource", row.id)]))) : null,
    block("Barriers of an even frame", difference.barriers, head("resource", "reason", "before", "after"), ...folds(difference.barriers, (row) => el("tr", {}, el("td", {}, capture.resources.has(row.resource) ? link("resource", row.resource) : shown(row.resource)), el("td", {}, row.reason), el("td", { class: "num" }, String(row.before)), el("td", { class: "num" }, String(row.after))))),
    block("Plugins", difference.plugins, head("plugin", "GPU before", "after", "change", "moved before", "after", "change"), ...folds(difference.plugins, (row) => { const sum = (one) => (one.bytes_read || 0) + (one.bytes_written || 0); return el("tr", {}, el("td", {}, swatch(row.plugin), link("plugin", owner(row.plugin))), el("td", { class: "num" }, told(row.before.gpu_ms, "ms")), el("td", { class: "num" }, told(row.after.gpu_ms, "ms")), el("td", { class: "num" }, change(row.before.gpu_ms, row.after.gpu_ms, inUnit.ms)), el("td", { class: "num" }, bytes(sum(row.before))), el("td", { class: "num" }, bytes(sum(row.after))), el("td", { class: "num" }, change(sum(row.before), sum(row.after), bytes))); })),
    block("Settings, options, versions", difference.settings, el("tr", {}, ["", "before", "after"].map((title) => el("th", {}, title))), ...folds(difference.settings, (row) => el("tr", {}, el("th", {}, shown(row.key)), el("td", { class: "name" }, side(row.before)), el("td", { class: "name" }, side(row.after))))));
}

const FEW = 60;
function folds(rows, make) {
  const body = el("tbody", {}, rows.slice(0, FEW).map(make));
  if (rows.length > FEW) {
    const more = el("button", { type: "button", onclick: () => { more.closest("tr").replaceWith(...rows.slice(FEW).map(make)); } }, `${rows.length - FEW} more`);
    body.append(el("tr", {}, el("td", { colspan: "8" }, more)));
  }
  return [body];
}

function pairsView() {
  const { pictures, measure } = comparison.difference, box = el("div", { class: "scroll pad" });
  const half = (picture, words) => (picture ? [el("span", { class: "dim" }, words), shot(picture, true)] : [el("p", { class: "calm" }, `${words}: there is none`)]);
  box.filter = () => {
    const found = pictures.filter((pair) => matches(`${(pair.after || pair.before).resource} ${(pair.after || pair.before).node}`));
    box.replaceChildren(
      el("p", { class: "dim" }, pictures.length ? `${many(pictures.length, "picture")} differ. The number is the ${measure === "FLIP" ? "mean FLIP: 0 looks alike, 1 as different as can be" : "mean difference of the shades (the extra flip of renderwright brings FLIP)"}.` : "All pictures are the same, texel for texel."),
      ...found.map((pair) => el("section", { class: "block" }, el("h3", {}, shown((pair.after || pair.before).resource), pair.difference === null ? null : el("span", { class: "dim" }, pair.difference.toFixed(4))), el("div", { class: "pair" }, el("div", {}, half(pair.before, "before")), el("div", {}, half(pair.after, "after")), el("div", {}, pair.map ? half(pair.map, "difference") : null)))));
  };
  box.filter();
  return box;
}

const comparisonViews = () => (comparison ? [
  { id: "changes", title: "What differs", count: comparison.difference.nodes.length + comparison.difference.resources.filter((row) => row.state !== "moved").length, make: () => [comparisonView()] },
  { id: "pairs", title: "Pictures, both", count: comparison.difference.pictures.length, make: () => { current = pairsView(); return [current]; } },
] : []);

// Which of the two captures the other views show.
function sideChoice() {
  if (!comparison) return [];
  const pick = (side, title) => el("button", { type: "button", "aria-pressed": String(capture.document === comparison[side]), onclick: () => look(comparison[side]) }, title);
  return [el("div", { class: "sides" }, el("span", { class: "dim" }, "All views below show"), el("div", { class: "pick" }, pick("before", "before"), pick("after", "after")))];
}
