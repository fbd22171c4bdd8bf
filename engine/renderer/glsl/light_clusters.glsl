// Clusters of a player's view: columns, rows and slices of its frustum. They cover all of space: the outermost ones go on
// without end, and the first slice reaches behind the camera as a box. So every position has a cluster, also those that only
// an eye, a sample or a tile of the view sees. As in clusters.py.

const ivec3 CLUSTERS = ivec3(16, 9, 24);

struct LightGrid {
    vec4 right;    // world to view space: coordinates are dot(axis.xyz, position) + axis.w
    vec4 up;
    vec4 ahead;
    vec2 low;      // slopes of the frustum's sides, or metres from the view axis if rays are parallel
    vec2 high;
    float first;   // end of the first slice, in metres
    float growth;  // slices for each doubling of the depth
    int words;     // of a cluster
    int lights;
    float parallel;  // 1: the view's rays are parallel, so clusters do not get wider with depth; else 0
};

vec3 in_view(LightGrid grid, vec3 position) {
    return vec3(dot(grid.right.xyz, position) + grid.right.w, dot(grid.up.xyz, position) + grid.up.w,
                dot(grid.ahead.xyz, position) + grid.ahead.w);
}

int cluster_of(LightGrid grid, vec3 position) {
    vec3 at = in_view(grid, position);
    float away = max(at.z, grid.first);
    vec2 across = (at.xy / mix(away, 1.0, grid.parallel) - grid.low) / (grid.high - grid.low) * vec2(CLUSTERS.xy);
    float slice = log2(away / grid.first) * grid.growth;
    int behind_first = at.z > grid.first ? 1 : 0;
    ivec3 cluster = ivec3(clamp(across, vec2(0.0), vec2(CLUSTERS.xy - 1)), 0);
    cluster.z = behind_first + int(clamp(slice, 0.0, float(CLUSTERS.z - 2))) * behind_first;
    return (cluster.z * CLUSTERS.y + cluster.y) * CLUSTERS.x + cluster.x;
}

const float ENDLESS = 1e30;

// The box around a cluster, in view space.
void cluster_box(LightGrid grid, ivec3 cluster, out vec3 low, out vec3 high) {
    low.z = cluster.z == 0 ? -ENDLESS : grid.first * exp2(float(cluster.z - 1) / grid.growth);
    high.z = cluster.z == CLUSTERS.z - 1 ? ENDLESS : grid.first * exp2(float(cluster.z) / grid.growth);
    vec2 size = (grid.high - grid.low) / vec2(CLUSTERS.xy);
    vec2 left = grid.low + vec2(cluster.xy) * size, right = left + size;
    vec2 depths = mix(max(vec2(low.z, high.z), vec2(grid.first)), vec2(1.0), grid.parallel);
    low.xy = min(left * depths.x, left * depths.y);
    high.xy = max(right * depths.x, right * depths.y);
    low.xy = mix(low.xy, vec2(-ENDLESS), equal(cluster.xy, ivec2(0)));
    high.xy = mix(high.xy, vec2(ENDLESS), equal(cluster.xy, CLUSTERS.xy - 1));
}
