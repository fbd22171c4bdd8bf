// The lists: nodes, resources, passes, barriers, culled nodes, plugins, settings.
const name = (kind, key = "id") => ({ title: kind, width: "minmax(190px, 2fr)", value: (row) => row[key], cell: (row) => [kind === "node" || kind === "resource" ? swatch((capture.nodes.get(row[key]) || capture.resources.get(row[key]) || row).plugin) : null, link(kind, row[key])] });

function nodesList() {
  return new Table([
    { title: "#", width: "44px", num: true, value: (row) => row.number + 1 }, name("node"),
    { title: "plugin", width: "110px", value: (row) => owner(row.plugin) }, { title: "queue", width: "78px", value: (row) => row.queue },
    { title: "pass", width: "48px", num: true, value: (row) => capture.passOf.get(row.id) },
    { title: "room", width: "86px", value: (row) => capture.places.get(row.id).latest - capture.places.get(row.id).earliest, cell: (row) => { const place = capture.places.get(row.id); return place.earliest === place.latest ? "none" : `${place.earliest + 1} to ${place.latest + 1}`; } },
    { title: "GPU ms", width: "66px", num: true, value: (row) => capture.times.get(row.id)?.gpu_ms ?? null, cell: (row) => ms(capture.times.get(row.id)?.gpu_ms) },
    { title: "CPU ms", width: "66px", num: true, value: (row) => capture.times.get(row.id)?.cpu_ms ?? null, cell: (row) => ms(capture.times.get(row.id)?.cpu_ms) },
    { title: "moves", width: "76px", num: true, value: (row) => capture.movedBy(capture.ofNode.get(row.id)), cell: (row) => bytes(capture.movedBy(capture.ofNode.get(row.id))) },
    { title: "why it is in the frame", width: "minmax(240px, 3fr)", value: (row) => capture.document.needs[row.name] || "", cell: (row) => prose(capture.document.needs[row.name] || "") },
  ], [...capture.nodes.values()], { text: (row) => `${row.id} ${row.plugin}`, pick: (row) => ["node", row.id] });
}

function resourcesList() {
  return new Table([
    name("resource"), { title: "plugin", width: "110px", value: (row) => owner(row.plugin) }, { title: "kind", width: "64px", value: (row) => row.kind },
    { title: "what", width: "minmax(210px, 2fr)", value: describe }, { title: "bytes", width: "80px", num: true, value: (row) => row.size, cell: (row) => bytes(row.size) },
    { title: "copies", width: "58px", num: true, value: (row) => placesOf(row).length },
    { title: "moved", width: "80px", num: true, value: (row) => capture.movedBy(capture.ofResource.get(row.id)), cell: (row) => bytes(capture.movedBy(capture.ofResource.get(row.id))) },
    { title: "uses", width: "48px", num: true, value: (row) => (capture.ofResource.get(row.id) || []).length },
    { title: "lasts", width: "110px", value: (row) => (row.history ? "history" : row.kept ? "kept" : row.external ? "external" : "") },
  ], [...capture.resources.values()], { text: (row) => `${row.id} ${row.plugin} ${row.format || ""}`, pick: (row) => ["resource", row.id] });
}

// Why there are dashes in place of times, empty where there are times.
function whyNoTimes() {
  const { times, device } = capture.document;
  if (!times) return "Times were not measured: this is a plan, which was not played.";
  if (!times.frames) return "Times were not measured: no frame was rendered beside the captured one, whose copies take time of their own.";
  if (times.gpu_ms !== null) return "";
  return device && !device.timestamps ? "Times on the GPU were not measured: the device has no timestamps." : "Times on the GPU were not measured: those of no frame were there when the capture ended.";
}

// A list with columns of times, below the reason if there are none.
function timed(make) {
  return () => { current = make(); return [whyNoTimes() && el("div", { class: "bar dim" }, whyNoTimes()), current.box].filter(Boolean); };
}

function passesList() {
  const line = (item) => (capture.attachments.get(item.number) || []).map((one) => one.resource).join(" ");
  return new Table([
    { title: "#", width: "44px", num: true, value: (row) => row.number },
    { title: "nodes", width: "minmax(220px, 2fr)", value: (row) => row.nodes.join(" "), cell: (row) => row.nodes.slice(0, 6).flatMap((node, at) => [at ? ", " : "", link("node", node)]).concat(row.nodes.length > 6 ? ` and ${row.nodes.length - 6} more` : []) },
    { title: "size", width: "90px", value: (row) => (row.extent ? row.extent[0] * row.extent[1] : 0), cell: (row) => (row.extent ? row.extent.join("\u00d7") : "commands") },
    { title: "attachments: load \u2192 store", width: "minmax(260px, 2fr)", value: line, cell: (row) => row.attachments.flatMap((one, at) => [at ? ", " : "", link("resource", one.resource), el("span", { class: "dim" }, ` ${one.load} \u2192 ${one.store}`)]) },
    { title: "why it is not one with the pass before", width: "minmax(280px, 3fr)", value: (row) => row.alone },
  ], capture.plan.passes, { text: (row) => `${row.nodes.join(" ")} ${line(row)} ${row.alone}`, pick: (row) => ["node", row.nodes[0]] });
}

function barriersList() {
  return new Table([
    { title: "frame", width: "56px", value: (row) => (row.frame % 2 ? "odd" : "even") },
    { title: "where", width: "minmax(170px, 1fr)", value: (row) => row.before_pass, cell: (row) => (row.before_node ? [row.behind ? "behind " : "before ", link("node", row.before_node)] : "end of the frame") },
    { title: "resource", width: "minmax(150px, 1fr)", value: (row) => row.resource, cell: (row) => link("resource", row.resource) },
    { title: "reason", width: "minmax(250px, 1fr)", value: (row) => row.reason },
    { title: "waits for", width: "minmax(150px, 1fr)", value: (row) => row.awaits.join(" "), cell: (row) => row.awaits.slice(0, 4).flatMap((id, at) => [at ? ", " : "", capture.nodes.has(id) ? link("node", id) : link("resource", id)]).concat(row.awaits.length > 4 ? ` and ${row.awaits.length - 4} more` : []) },
    { title: "scopes", width: "minmax(300px, 2fr)", value: scopes },
    { title: "split", width: "minmax(190px, 1fr)", value: (row) => (row.event === null ? row.split : `event ${row.event}: ${row.behind ? "set" : "waited for"}`) },
    { title: "issued", width: "130px", value: (row) => (row.memory_barrier ? `memory barrier ${row.memory_barrier.number}` : "by itself") },
  ], capture.barriers, { text: (row) => `${row.resource} ${row.reason} ${row.before_node || ""} ${row.split} ${row.awaits.join(" ")}`, pick: (row) => ["resource", row.resource], empty: "This frame needs no barrier." });
}

function barriersView() {
  const odd = capture.barriers.filter((row) => row.frame === 1).length, resting = (capture.plan.frames[1] || { resting: [] }).resting.length;
  current = barriersList();
  return [el("div", { class: "bar dim" }, `${many(capture.barrierCount, "barrier")} of an even frame in which all nodes run, ${odd} of an odd frame${resting ? ` in which ${resting === 1 ? "1 node rests" : `${resting} nodes rest`}` : ""}. Odd frames use the other copies of what has two.`), current.box];
}

function removedList() {
  return new Table([
    { title: "node", width: "minmax(190px, 1fr)", value: (row) => row.node }, { title: "reason", width: "90px", value: (row) => row.reason },
    { title: "why", width: "minmax(420px, 4fr)", value: (row) => row.message, cell: (row) => prose(row.message) },
  ], capture.plan.removed, { empty: "All nodes are in the frame." });
}

function pluginsList() {
  return new Table([
    { title: "plugin", width: "minmax(150px, 1fr)", value: (row) => owner(row.plugin), cell: (row) => [swatch(row.plugin), link("plugin", owner(row.plugin))] },
    { title: "state", width: "100px", value: (row) => row.state || "", cell: (row) => (row.state ? el("span", { class: `tag ${{ enabled: "good", quarantined: "bad", broken: "bad" }[row.state] || ""}` }, row.state) : "") },
    { title: "nodes", width: "58px", num: true, value: (row) => row.nodes }, { title: "removed", width: "66px", num: true, value: (row) => row.removed },
    { title: "GPU ms", width: "70px", num: true, value: (row) => row.gpu_ms ?? null, cell: (row) => ms(row.gpu_ms) }, { title: "CPU ms", width: "70px", num: true, value: (row) => row.cpu_ms ?? null, cell: (row) => ms(row.cpu_ms) },
    { title: "moves", width: "80px", num: true, value: (row) => row.bytes_read + row.bytes_written, cell: (row) => bytes(row.bytes_read + row.bytes_written) },
    { title: "share", width: "64px", num: true, value: (row) => (row.bytes_read + row.bytes_written) / (capture.moved || 1), cell: (row) => percent((row.bytes_read + row.bytes_written) / (capture.moved || 1)) },
    { title: "memory", width: "80px", num: true, value: (row) => row.memory, cell: (row) => bytes(row.memory) },
    { title: "settings that differ", width: "minmax(200px, 2fr)", value: (row) => (row.settings || []).filter((one) => one.changed).map((one) => `${one.key}=${JSON.stringify(one.value)}`).join(", ") },
  ], capture.document.plugins, { text: (row) => owner(row.plugin), pick: (row) => ["plugin", owner(row.plugin)] });
}

function settingsView() {
  const { versions, device, options, frame, times } = capture.document;
  const measured = whyNoTimes() || `medians of ${many(times.frames, "frame")}`;
  const flat = (value) => (Array.isArray(value) ? value.join(", ") || "none" : value === null ? "\u2013" : typeof value === "object" ? JSON.stringify(value) : String(value));
  const table = (title, rows) => (rows.length ? el("section", { class: "block" }, el("h3", {}, title), el("table", { class: "plain" }, rows.map(([key, value]) => el("tr", {}, el("th", {}, shown(key)), el("td", { class: "name" }, shown(flat(value), 600)))))) : null);
  const settings = capture.document.plugins.flatMap((row) => (row.settings || []).map((one) => [`${row.plugin}.${one.key}`, one.changed ? `${flat(one.value)} (default ${flat(one.default)})` : one.value]));
  return el("div", { class: "scroll pad" }, table("Device", Object.entries(device || { device: "none: this is a plan that was not played" })), table("Frame", Object.entries(frame || {})), table("Times", [["of nodes", measured]]), table("Options", Object.entries(options)), table("Versions", Object.entries(versions)), table("Settings of plugins", settings));
}
