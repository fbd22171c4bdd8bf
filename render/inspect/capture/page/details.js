// The panel on the right: all about the node, resource or plugin that is selected.
const section = (title, ...content) => { const kept = content.flat().filter(Boolean); return kept.length ? [el("h3", {}, title), ...kept] : []; };
const present = (value) => value !== null && value !== undefined && value !== "";
const facts = (rows) => el("dl", {}, rows.filter((row) => row && row.slice(1).some(present)).flatMap(([title, ...value]) => [el("dt", {}, title), el("dd", {}, value.filter(present))]));
const items = (rows) => (rows.length ? el("ul", {}, rows) : null);
const MOST = 40;

function limited(rows, make) {
  const made = rows.slice(0, MOST).map(make);
  if (rows.length > MOST) made.push(el("li", { class: "dim" }, `and ${rows.length - MOST} more`));
  return items(made);
}

function drawDetails() {
  const box = $("details"), chosen = state.node ? nodeDetails(state.node) : state.resource ? resourceDetails(state.resource) : state.plugin !== null ? pluginDetails(state.plugin) : null;
  box.hidden = !chosen;
  if (!chosen) return;
  const [title, chips, content] = chosen;
  box.replaceChildren(
    el("header", {}, el("h2", {}, shown(title, 2000)), el("button", { type: "button", title: "Close (Esc)", "aria-label": "Close", onclick: () => choose("node", null) }, "\u00d7")),
    el("div", { class: "chips" }, chips.filter(Boolean)), ...content);
  box.scrollTop = 0;
}

const pluginChip = (plugin) => el("a", { class: "tag link", href: `#plugin=${encodeURIComponent(owner(plugin))}` }, swatch(plugin), shown(owner(plugin), 60));

function nodeDetails(id) {
  const node = capture.nodes.get(id), place = capture.places.get(id), times = capture.times.get(id), pass = capture.plan.passes[capture.passOf.get(id)];
  const uses = capture.ofNode.get(id) || [], waits = capture.waits.get(id) || [], barriers = capture.barriersOfNode(id);
  const ready = place.ready.flatMap((name, at) => [at ? ", " : "", link("node", name)]);
  const free = place.earliest === place.latest ? "the edges leave it no other place" : `the edges leave it ${place.earliest + 1} to ${place.latest + 1}`;
  const chips = [pluginChip(node.plugin), el("span", { class: "tag" }, `${node.queue} queue`), node.rate && el("span", { class: "tag warn" }, node.rate), capture.resting.has(id) && el("span", { class: "tag warn" }, "skipped in this frame"), node.multiview && el("span", { class: "tag" }, `${node.multiview.views} views at once`)];
  return [id, chips, [
    ...section("Node", facts([
      ["in the frame", prose(capture.document.needs[node.name] || "")],
      ["declared in", node.source],
      ["time", times ? `${inMs(times.gpu_ms)} on the GPU, ${inMs(times.cpu_ms)} on the CPU` : null],
      ["moves", `about ${bytes(capture.movedBy(uses))}`],
      ["queue", node.queue_reason],
      ["waits for", waits.length ? waits.flatMap((name, at) => [at ? ", " : "", link("node", name)]) : null],
      ["runs", node.late_until !== undefined ? (node.late_until ? ["beside the next frame, until ", link("node", node.late_until)] : "beside the whole next frame") : null],
      ["multiview", node.multiview_obstacle && node.multiview_obstacle.message],
      ["full screen", node.fullscreen ? `as a ${node.fullscreen} shader${node.fullscreen_obstacle ? `: ${node.fullscreen_obstacle}` : ""}` : null],
    ].map(([title, value]) => [title, ...(Array.isArray(value) ? value : [value])]))),
    ...section("Uses", limited(uses, (access) => el("li", {}, verbMark(access), link("resource", access.resource), " ", el("span", { class: "dim" }, doing(access))))),
    ...section("Pictures after it", shots(capture.picturesBy.get(id), true)),
    ...section("Order", el("p", {}, `Number ${node.number + 1} of ${capture.order.length}; ${free} if all others keep their order.`),
      node.moved ? el("p", {}, prose(node.moved.message)) : null,
      el("p", { class: "dim" }, place.ready_count ? ["Could have come before it, as what they need had run: ", ...ready, place.ready_count > place.ready.length ? ` and ${place.ready_count - place.ready.length} more` : ""] : "Nothing that comes later could have come before it.")),
    ...section("Runs after", limited(capture.before.get(id) || [], ([before, , reason]) => el("li", {}, link("node", before), " ", el("span", { class: "dim" }, reason)))),
    ...section("Runs before", limited(capture.after.get(id) || [], ([, after, reason]) => el("li", {}, link("node", after), " ", el("span", { class: "dim" }, reason)))),
    ...(pass ? section(`Pass ${pass.number}`, passDetails(pass, id)) : []),
    ...section("Barriers before its pass", limited(barriers, barrierLine)),
  ]];
}

const shots = (pictures, second) => (pictures && pictures.length ? el("div", { class: "shots" }, pictures.map((picture) => shot(picture, second))) : null);

function passDetails(pass, id) {
  const others = pass.nodes.filter((node) => node !== id);
  const reasons = capture.attachments.get(pass.number) || [];
  return [
    el("p", {}, pass.render ? `Render pass of ${pass.extent.join("\u00d7")}. ` : "Plain commands. ", others.length ? ["Together with ", ...others.slice(0, 8).flatMap((node, at) => [at ? ", " : "", link("node", node)]), others.length > 8 ? ` and ${others.length - 8} more` : "", "."] : "Alone in it."),
    pass.alone ? el("p", { class: "dim" }, `Not one pass with the one before: ${pass.alone}`) : null,
    limited(reasons, (one) => el("li", {}, link("resource", one.resource), el("div", { class: "dim" }, prose(one.load), "; ", prose(one.store)))),
  ];
}

function barrierLine(barrier) {
  const after = barrier.awaits.length ? [" (", ...barrier.awaits.slice(0, 5).flatMap((name, at) => [at ? ", " : "", capture.nodes.has(name) ? link("node", name) : link("resource", name)]), barrier.awaits.length > 5 ? `, ${barrier.awaits.length - 5} more` : "", ")"] : [];
  return el("li", {}, link("resource", barrier.resource), ` ${barrier.reason}`, ...after, el("div", { class: "dim" }, scopes(barrier), `. ${barrier.split}.`, barrier.memory_barrier ? ` Issued as memory barrier ${barrier.memory_barrier.number}.` : ""));
}

// Copies of a resource at one place, and when they are alive there: copies that are so in the same nodes of their frames
// are told once.
function placeLine(copies) {
  const count = capture.order.length, name = (moment) => capture.order[((moment % count) + count) % count].id;
  const alive = [...grouped(copies, ([, { arc: [begin, end] }]) => `${begin % count} ${end - begin}`).values()];
  const when = ([begin, end]) => (end - begin >= 2 * count ? "alive all the time" : ["alive from ", link("node", name(begin)), " to ", link("node", name(end - 1)), end > count * (begin >= count ? 2 : 1) ? " of the next frame" : ""]);
  const names = (rows) => rows.map(([copy]) => copy).join(" and ");
  const [, { heap, offset }] = copies[0];
  return el("li", {}, `${names(copies)}: heap ${heap}, byte ${offset} on`, alive.map((rows) => el("div", { class: "dim" }, alive.length > 1 ? `${names(rows)} ` : "", when(rows[0][1].arc))));
}

function resourceDetails(id) {
  const item = capture.resources.get(id), uses = capture.ofResource.get(id) || [], own = capture.barriersOf.get(id) || [];
  const copies = [...grouped(Object.entries(item.copies), ([, place]) => `${place.heap} ${place.offset}`).values()].map(placeLine);
  const chips = [pluginChip(item.plugin), el("span", { class: "tag" }, item.kind), item.external && el("span", { class: "tag" }, "external"), item.history && el("span", { class: "tag warn" }, "history"), item.kept && el("span", { class: "tag warn" }, "kept"), item.sink && el("span", { class: "tag good" }, "the frame is made for it")];
  return [id, chips, [
    ...section("Resource", facts([
      ["what", describe(item)], ["made by", ...(capture.nodes.has(item.creator) ? [link("node", item.creator)] : [item.creator])], ["asked for in", item.source],
      ["other names", item.names.length > 1 ? item.names.slice(1).join(", ") : null],
      ["moves", `about ${bytes(capture.movedBy(uses))}`],
      ["first frame", item.history ? `readers of its history get: ${item.first}` : null],
    ])),
    ...section("Used, in order", limited(uses, (access) => el("li", {}, verbMark(access), link("node", access.node), " ", el("span", { class: "dim" }, doing(access))))),
    ...section("Pictures after each write", shots(capture.picturesOf.get(id), false)),
    ...section("Memory", items(copies)),
    ...section("Barriers of an even frame", limited(own.filter((one) => one.frame === 0), (one) => el("li", {}, one.before_node ? [one.behind ? "behind the pass of " : "before ", link("node", one.before_node)] : "at the end of the frame", `: ${one.reason}`, el("div", { class: "dim" }, scopes(one), `. ${one.split}.`)))),
  ]];
}

function pluginDetails(name) {
  const plugin = name === owner("") ? "" : name, row = capture.plugin(plugin), nodes = capture.order.filter((node) => node.plugin === plugin);
  const made = [...capture.resources.values()].filter((item) => item.plugin === plugin);
  const removed = capture.plan.removed.filter((one) => one.node.startsWith(`${plugin}/`));
  const settings = (row && row.settings) || [];
  return [name, [row && row.state && el("span", { class: "tag" }, row.state), row && row.version && el("span", { class: "tag" }, `${row.distribution || ""} ${row.version}`)], [
    ...(row ? section("Cost", facts([
      ["time", row.gpu_ms !== undefined ? `${inMs(row.gpu_ms)} on the GPU, ${inMs(row.cpu_ms)} on the CPU` : null],
      ["moves", `about ${bytes(row.bytes_read + row.bytes_written)}, ${percent((row.bytes_read + row.bytes_written) / (capture.moved || 1))} of the frame`],
      ["memory", `${bytes(row.memory)} in ${many(row.resources, "resource")}`],
      ["reason", row.reason],
    ])) : []),
    ...section("Settings", items(settings.map((one) => el("li", {}, el("b", {}, shown(one.key)), ` ${shown(JSON.stringify(one.value))}`, el("div", { class: "dim" }, one.changed ? `default ${JSON.stringify(one.default)}. ` : "", shown(one.description || "", 400)))))),
    ...section("Nodes", limited(nodes, (node) => el("li", {}, link("node", node.id)))),
    ...section("Resources", limited(made, (item) => el("li", {}, link("resource", item.id), " ", el("span", { class: "dim" }, describe(item))))),
    ...section("Not in the frame", limited(removed, (one) => el("li", {}, prose(one.message)))),
  ]];
}
