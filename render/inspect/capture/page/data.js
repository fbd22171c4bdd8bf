// The document of the page, and tables to look things up in it.
let capture = null;

async function inflated(base64, format = "gzip") {
  const packed = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format));
  return new Response(stream).arrayBuffer();
}

const grouped = (rows, key) => {
  const found = new Map();
  for (const row of rows) {
    const at = key(row);
    if (!found.has(at)) found.set(at, []);
    found.get(at).push(row);
  }
  return found;
};

class Capture {
  constructor(document) {
    const plan = document.plan;
    this.document = document;
    this.plan = plan;
    this.order = plan.nodes;
    this.nodes = new Map(plan.nodes.map((node, number) => [node.id, { ...node, number }]));
    const more = new Map(document.resources.map((item) => [item.id, item]));
    this.named = new Map([...plan.nodes].reverse().map((node) => [node.name, node.id]));
    this.resources = new Map(plan.resources.map((item) => [item.id, { ...more.get(item.id), ...item }]));
    this.ofNode = grouped(document.accesses, (access) => access.node);
    this.ofResource = grouped(document.accesses, (access) => access.resource);
    // Steps of the golden angle: neighbours in the list are far apart.
    const plugins = document.plugins.map((row) => row.plugin).filter(Boolean).sort();
    this.hues = new Map(plugins.map((plugin, at) => [plugin, (300 + at * 137.508) % 360]));
    this.resting = new Set(document.frame ? document.frame.resting : []);
    this.passOf = new Map(plan.passes.flatMap((item) => item.nodes.map((node) => [node, item.number])));
    this.places = new Map(document.order.nodes.map((place) => [place.node, place]));
    this.waits = new Map(document.queues.waits.map((wait) => [wait.node, wait.for]));
    this.attachments = grouped(document.attachments, (one) => one.pass);
    this.barriers = plan.barriers;
    // An odd frame has its own, on other copies, and without those of nodes that rest. Where barriers are counted it is
    // those of the even frame, in which all nodes run.
    this.barrierCount = plan.barriers.filter((one) => one.frame === 0).length;
    this.causes = [...grouped(document.findings, (finding) => finding.cause ?? finding).values()];
    this.barriersOf = grouped(plan.barriers, (barrier) => barrier.resource);
    this.pictures = document.pictures;
    // By node and resource; a write of several mips or layers has a picture of each.
    this.writes = [...grouped(document.pictures, (picture) => `${picture.node}\n${picture.resource}`).values()];
    this.picturesOf = grouped(document.pictures, (picture) => picture.resource);
    this.picturesBy = grouped(document.pictures, (picture) => picture.node);
    this.times = new Map((document.times ? document.times.nodes : []).map((row) => [row.node, row]));
    this.before = grouped(plan.edges, (edge) => edge[1]);
    this.after = grouped(plan.edges, (edge) => edge[0]);
    this.heapBytes = plan.heaps.reduce((sum, heap) => sum + heap.size, 0);
    this.moved = document.accesses.reduce((sum, access) => sum + access.bytes_read + access.bytes_written, 0);
    this.movedBy = (rows) => (rows || []).reduce((sum, access) => sum + access.bytes_read + access.bytes_written, 0);
    // By resource and number of the node: 1 reads, 2 writes, 4 reads an earlier frame, 8 and 16 ask for the frame's own
    // or an earlier frame's contents without reading them.
    this.cells = new Map();
    for (const access of document.accesses) {
      if (!this.cells.has(access.resource)) this.cells.set(access.resource, new Map());
      const row = this.cells.get(access.resource), at = this.nodes.get(access.node).number;
      row.set(at, (row.get(at) || 0) | (access.unread ? (access.frames_ago ? 16 : 8) : access.frames_ago ? 4 : (access.reads ? 1 : 0) | (access.writes ? 2 : 0)));
    }
  }

  plugin(name) {
    return this.document.plugins.find((row) => row.plugin === name);
  }

  // The barriers before a node's pass on what the node uses.
  barriersOfNode(id) {
    const pass = this.passOf.get(id), used = new Set((this.ofNode.get(id) || []).map((access) => access.resource));
    const first = this.plan.passes[pass] ? this.plan.passes[pass].nodes[0] : null;
    return this.barriers.filter((one) => one.frame === 0 && !one.behind && one.before_node === first && used.has(one.resource));
  }
}
