// Pictures of textures: values as they were, turned into shades here.
const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i1: Int8Array, i2: Int16Array, i4: Int32Array, f4: Float32Array };
const decoded = new Map();

function halves(words) {
  const found = new Float32Array(words.length);
  for (let at = 0; at < words.length; at++) {
    const word = words[at], exponent = (word >> 10) & 31, fraction = word & 1023, sign = word & 32768 ? -1 : 1;
    found[at] = sign * (exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? (fraction ? NaN : Infinity) : 2 ** (exponent - 25) * (1024 + fraction));
  }
  return found;
}

// The values of a picture by channel, one after the other.
function texels(picture) {
  if (!decoded.has(picture)) {
    decoded.set(picture, inflated(picture.data, "deflate").then((buffer) => (picture.type === "f2" ? halves(new Uint16Array(buffer)) : new TYPES[picture.type](buffer))));
  }
  return decoded.get(picture);
}

const encoded = (value) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

// {channel: "rgb" or a number, low, high}: what a picture is shown as at first.
function firstLook(picture) {
  const plain = picture.kind === "color";
  return { channel: picture.channels > 1 ? "rgb" : 0, low: plain ? 0 : Math.min(...picture.low.slice(0, 3)), high: plain ? picture.scale : Math.max(...picture.high.slice(0, 3)), encode: plain && picture.linear };
}

async function paintPicture(canvas, picture, look = firstLook(picture)) {
  const values = await texels(picture), [width, height] = picture.size, count = width * height;
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d"), image = pen.createImageData(width, height), range = look.high - look.low || 1;
  const channels = look.channel === "rgb" ? [0, Math.min(1, picture.channels - 1), picture.channels > 2 ? 2 : -1] : [look.channel, look.channel, look.channel];
  for (let at = 0; at < count; at++) {
    let odd = false;
    for (let channel = 0; channel < 3; channel++) {
      const value = channels[channel] < 0 ? look.low : values[channels[channel] * count + at];
      if (!Number.isFinite(value)) odd = true;
      const unit = Math.min(1, Math.max(0, (value - look.low) / range));
      image.data[at * 4 + channel] = 255 * (look.encode ? encoded(unit) : unit) + 0.5;
    }
    if (odd) image.data.set([255, 0, 255], at * 4);
    image.data[at * 4 + 3] = 255;
  }
  pen.putImageData(image, 0, 0);
}

const lazily = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    lazily.unobserve(entry.target);
    paintPicture(entry.target, entry.target.picture);
  }
}, { rootMargin: "200px" });

function shot(picture, second) {
  const canvas = el("canvas", {});
  canvas.picture = picture;
  lazily.observe(canvas);
  const part = [picture.mip ? `mip ${picture.mip}` : "", picture.layers > 1 ? `layer ${picture.layer}` : ""].filter(Boolean).join(", ");
  return el("button", { class: "shot", type: "button", title: `${shown(picture.resource)} after ${shown(picture.node)}`, onclick: () => large(picture) },
    canvas, el("span", {}, shown(second ? picture.resource : picture.node, 60)), el("span", {}, second ? shown(`after ${picture.node}`, 60) : [picture.extent.join("\u00d7"), part].filter(Boolean).join(", ")));
}

function picturesView() {
  const box = el("div", { class: "scroll pad" }), chosen = capture.writes.map((own) => own[0]);
  const draw = () => {
    const found = chosen.filter((picture) => matches(`${picture.resource} ${picture.node}`));
    box.replaceChildren(found.length ? el("div", { class: "shots" }, found.map((picture) => shot(picture, true))) : el("p", { class: "calm" }, capture.pictures.length ? "Nothing matches the search." : "This capture has no pictures: the frame was not played, or they were left out."));
  };
  draw();
  box.filter = draw;
  return box;
}

// One picture, large: channel, range, mip, layer, values.
function large(picture) {
  const dialog = $("dialog"), known = capture.picturesOf.get(picture.resource) || [], siblings = known.includes(picture) ? known : [picture];
  let look = firstLook(picture);
  const canvas = el("canvas", {}), values = el("div", { class: "values mono" }), title = el("h2", {}), low = el("input", { type: "number", step: "any" }), high = el("input", { type: "number", step: "any" });
  const channels = el("span", {}), writes = el("select", { "aria-label": "after which node" }), parts = el("select", { "aria-label": "mip and layer" });
  const grow = () => {
    const stage = canvas.parentElement;
    if (!stage) return;
    const scale = Math.min(stage.clientWidth / picture.extent[0], stage.clientHeight / picture.extent[1]);
    canvas.style.width = `${picture.extent[0] * scale}px`;
    canvas.style.height = `${picture.extent[1] * scale}px`;
  };
  const paint = () => { paintPicture(canvas, picture, look); low.value = number(look.low / picture.scale); high.value = number(look.high / picture.scale); for (const button of channels.children) button.setAttribute("aria-pressed", String(button.dataset.channel === String(look.channel))); };
  const show = (next) => {
    picture = next;
    look = firstLook(picture);
    title.replaceChildren(shown(picture.resource), el("span", { class: "dim" }, ` after ${shown(picture.node)}`));
    const names = picture.channels > 1 ? ["rgb", ...[..."rgba"].slice(0, picture.channels)] : ["value"];
    channels.replaceChildren(...names.map((name, at) => el("button", { type: "button", "data-channel": name === "rgb" ? "rgb" : String(names.length > 1 ? at - 1 : 0), onclick: () => { look.channel = name === "rgb" ? "rgb" : names.length > 1 ? at - 1 : 0; paint(); } }, name)));
    writes.replaceChildren(...[...new Set(siblings.map((one) => one.node))].map((node) => el("option", { value: node, selected: node === picture.node }, shown(node, 60))));
    const own = siblings.filter((one) => one.node === picture.node);
    parts.replaceChildren(...own.map((one, at) => el("option", { value: at, selected: one === picture }, `mip ${one.mip}, layer ${one.layer}`)));
    parts.hidden = own.length < 2;
    writes.onchange = () => show(siblings.find((one) => one.node === writes.value));
    parts.onchange = () => show(own[parts.value]);
    values.textContent = summary();
    paint();
    requestAnimationFrame(grow);
  };
  const real = (value) => number(value / picture.scale);
  const summary = () => {
    const odd = picture.nan + picture.infinite ? `; ${picture.nan} NaN, ${picture.infinite} infinite (magenta)` : "";
    return `${picture.format}, ${picture.extent.join("\u00d7")}; values ${picture.low.map(real).join(", ")} to ${picture.high.map(real).join(", ")}${odd}${picture.size.join() !== picture.extent.join() ? `; shown at ${picture.size.join("\u00d7")}` : ""}`;
  };
  const step = (by) => { const nodes = [...new Set(siblings.map((one) => one.node))], at = nodes.indexOf(picture.node) + by; if (nodes[at]) show(siblings.find((one) => one.node === nodes[at])); };
  canvas.addEventListener("mousemove", async (event) => {
    const bounds = canvas.getBoundingClientRect(), read = await texels(picture), [width, height] = picture.size;
    const x = clamp(Math.floor(((event.clientX - bounds.left) / bounds.width) * width), width), y = clamp(Math.floor(((event.clientY - bounds.top) / bounds.height) * height), height);
    const found = Array.from({ length: picture.channels }, (_, channel) => read[channel * width * height + y * width + x]);
    values.textContent = `texel ${Math.floor(((x + 0.5) * picture.extent[0]) / width)}, ${Math.floor(((y + 0.5) * picture.extent[1]) / height)}: ${found.map(real).join("  ")}`;
  });
  canvas.addEventListener("mouseleave", () => { values.textContent = summary(); });
  low.onchange = high.onchange = () => { look.low = Number(low.value) * picture.scale; look.high = Number(high.value) * picture.scale; paint(); };
  const auto = el("button", { type: "button", onclick: () => { const at = look.channel === "rgb" ? [0, 1, 2].filter((one) => one < picture.channels) : [look.channel]; look.low = Math.min(...at.map((one) => picture.low[one])); look.high = Math.max(...at.map((one) => picture.high[one])); paint(); } }, "smallest to largest");
  const reset = el("button", { type: "button", onclick: () => { look = firstLook(picture); paint(); } }, "reset");
  dialog.onkeydown = (event) => { const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]; if (by && event.target.tagName !== "INPUT" && event.target.tagName !== "SELECT") { event.preventDefault(); step(by); } };
  dialog.replaceChildren(el("div", { class: "large" },
    el("div", { class: "pick" }, title, el("span", { style: { flex: "1" } }), el("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    el("div", { class: "stage" }, canvas),
    el("div", { class: "pick" }, channels, el("label", {}, "black ", low), el("label", {}, "white ", high), auto, reset, el("label", {}, "after ", writes), parts),
    values));
  dialog.showModal();
  show(picture);
}
