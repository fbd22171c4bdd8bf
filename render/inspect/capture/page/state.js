// What is shown and selected, which is what the address says: #view=frame&node=ssao/blur.
const state = { view: "overview", node: null, resource: null, plugin: null, query: "" };
const watchers = [];

function address(changes) {
  const next = { ...state, ...changes };
  const parts = [["view", next.view], ["node", next.node], ["resource", next.resource], ["plugin", next.plugin]];
  return `#${parts.filter(([, value]) => value).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`;
}

function go(changes) {
  history.pushState(null, "", address(changes));
  follow();
}

const choose = (kind, id) => go({ node: null, resource: null, plugin: null, [kind]: id });

function follow() {
  const asked = new URLSearchParams(location.hash.slice(1).replace(/\+/g, "%2B"));
  const known = { node: capture.nodes, resource: capture.resources };
  for (const kind of ["node", "resource", "plugin"]) {
    const id = asked.get(kind);
    state[kind] = id && (!known[kind] || known[kind].has(id)) ? id : null;
  }
  state.view = views.some((view) => view.id === asked.get("view")) ? asked.get("view") : state.view;
  changed();
}

function changed() {
  for (const watcher of watchers) watcher();
}

const matches = (text) => !state.query || String(text).slice(0, 4000).toLowerCase().includes(state.query);
