// Accesses, resources and barriers in words, and the box beside the pointer.
const DOING = { create: "makes", external: "brings in", modify: "modifies", read: "reads", rename: "renames", history: "reads an earlier frame's", gather: "gathers" };

function verbMark(access) {
  const kind = access.frames_ago ? "h" : access.reads && access.writes ? "rw" : access.writes ? "w" : "r";
  const words = { h: "history", rw: "read and written", w: "written", r: "read" }[kind];
  return el("i", { class: `verb ${kind}${access.unread ? " unread" : ""}`, title: access.unread ? "requested, not read" : words }, { h: "H", rw: "M", w: "W", r: "R" }[kind]);
}

function doing(access) {
  const part = [access.mips && `mips ${span(access.mips)}`, access.layers && `layers ${span(access.layers)}`].filter(Boolean).join(" of ");
  const moved = access.bytes_read + access.bytes_written;
  const what = access.unread ? (access.frames_ago ? "asks for an earlier frame's" : "asks for it") : DOING[access.verb];
  return `${what}${access.usage ? ` as ${access.usage}` : ""}${part ? `, ${part}` : ""}${access.unread ? "; its shaders do not read it" : ""}${moved ? `, about ${bytes(moved)}` : ""}`;
}

const span = ([first, count]) => (count === 1 ? `${first}` : `${first} to ${first + count - 1}`);

function describe(item) {
  if (item.kind === "blob") return "a value of the CPU";
  if (item.kind === "buffer") return item.size ? `buffer, ${bytes(item.size)}` : "buffer";
  const extras = [item.mips > 1 && `${item.mips} mips`, item.layers > 1 && `${item.layers} layers`, item.samples > 1 && `${item.samples} samples`, item.cube && "cube"].filter(Boolean);
  return [item.format, item.extent ? item.extent.join("\u00d7") : "", ...extras, item.size ? bytes(item.size) : "", item.external ? "external" : ""].filter(Boolean).join(", ");
}

function scopes(barrier) {
  const side = (stages, access) => `${stages.join(" | ") || "nothing"}${access.length ? ` (${access.join(" | ")})` : ""}`;
  const layout = barrier.old_layout !== barrier.new_layout ? `; ${barrier.old_layout} to ${barrier.new_layout}` : "";
  return `${side(barrier.src_stages, barrier.src_access)} \u2192 ${side(barrier.dst_stages, barrier.dst_access)}${layout}`;
}

function tip(lines, event) {
  const box = $("tip");
  box.hidden = !lines;
  if (!lines) return;
  box.replaceChildren(...lines.map((line) => el("div", {}, line)));
  const width = box.offsetWidth, height = box.offsetHeight;
  box.style.left = `${Math.max(4, event.clientX + 16 + width > innerWidth ? event.clientX - width - 12 : event.clientX + 16)}px`;
  box.style.top = `${Math.max(4, event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18)}px`;
}
