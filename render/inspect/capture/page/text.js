// Elements and words. Names come from plugins: they only ever become text.
const $ = (id) => document.getElementById(id);

function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") made.className = value;
    else if (key === "style") Object.assign(made.style, value);
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const LONGEST = 160;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// A name as it is drawn: not too long, and without characters that turn the text around it.
function shown(text, most = LONGEST) {
  const plain = String(text).slice(0, most * 4).replace(CONTROLS, "\u00b7");
  return plain.length > most ? `${plain.slice(0, most - 1)}\u2026` : plain;
}

const SHORT = { view: "v", eye: "e", sample: "s", tile: "t" };

// A name where room is scarce: `depth@view=0,eye=1` is `depth @v0 e1`.
function brief(id) {
  const [name, index] = String(id).split("@");
  if (!index || !/^[a-z]+=[0-9]+(,[a-z]+=[0-9]+)*$/.test(index)) return shown(id);
  return `${shown(name)} @${index.split(",").map((part) => { const [key, at] = part.split("="); return `${SHORT[key] || `${key} `}${at}`; }).join(" ")}`;
}

// A text in so many pixels. It loses its middle: names differ most at their ends.
function fitted(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  const cut = (left) => `${text.slice(0, Math.floor(left * 0.4))}\u2026${text.slice(text.length - Math.ceil(left * 0.6))}`;
  let low = 0, high = text.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(cut(middle)).width <= width) low = middle; else high = middle - 1;
  }
  return low ? cut(low) : "\u2026";
}

function bytes(size) {
  if (!size) return "0";
  if (size >= 2 ** 30) return `${(size / 2 ** 30).toFixed(2)} GiB`;
  if (size >= 2 ** 20) return `${(size / 2 ** 20).toFixed(size >= 2 ** 24 ? 0 : 1)} MiB`;
  return size >= 1024 ? `${(size / 1024).toFixed(0)} KiB` : `${size} B`;
}

// A dash alone stands for what was not measured, in columns and elsewhere.
const ms = (value) => (value === null || value === undefined ? "\u2013" : value >= 10 ? value.toFixed(1) : value.toFixed(3));
const inMs = (value) => `${ms(value)}${value === null || value === undefined ? "" : " ms"}`;
const percent = (share) => `${(share * 100).toFixed(share >= 0.1 ? 0 : 1)} %`;
const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const copyWord = (count) => (count === 1 ? "1 copy" : `${count} copies`);

function number(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+inf" : "-inf";
  return Number.isInteger(value) ? String(value) : value.toPrecision(5).replace(/\.?0+(e|$)/, "$1");
}

// The engine and the skeleton have no name.
const owner = (plugin) => plugin || "(engine)";

function color(plugin, alpha = 1) {
  if (!plugin) return alpha < 1 ? `rgb(128 140 156 / ${alpha})` : "rgb(128 140 156)";
  const hue = capture.hues.get(plugin) ?? 90; // queues, and what the document does not list
  return `oklch(${token("--plugin-light")} ${token("--plugin-chroma")} ${hue.toFixed(1)} / ${alpha})`;
}

const tokens = new Map();
function token(name) {
  if (!tokens.has(name)) tokens.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return tokens.get(name);
}

const swatch = (plugin) => el("i", { class: "swatch", style: { background: color(plugin) } });

// A name that selects what it names.
function link(kind, id, text = id) {
  return el("a", { class: "link name", href: `#${kind}=${encodeURIComponent(id)}`, title: String(id).length > 60 ? shown(id, 2000) : null }, shown(text));
}

// A message, whose names in backticks become links to what the capture has of that name: behind the name of a kind a
// resource, else a node if there is one.
function prose(message) {
  return String(message).split("`").map((part, at, parts) => {
    if (at % 2 === 0) return part.length > 4000 ? `${part.slice(0, 4000)}\u2026` : part;
    const kind = capture.resources.has(part) && /\b(texture|buffer|blob) $/.test(parts[at - 1]) ? "resource" : capture.named.has(part) || capture.nodes.has(part) ? "node" : capture.resources.has(part) ? "resource" : "";
    return kind ? link(kind, (kind === "node" && capture.named.get(part)) || part, part) : el("code", { class: "name" }, shown(part));
  });
}
