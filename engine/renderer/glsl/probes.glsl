// The probes of the scene, and where their light replaces that of the sky.

const int MOST_PROBES = 8;

layout(set = 0, binding = 25) uniform ProbesBlock {
    int count;
    vec4 positions[MOST_PROBES];  // w: place of the light in buffer and texture
    vec4 lows[MOST_PROBES];       // w: distance over which the sky takes over
    vec4 highs[MOST_PROBES];      // w: 1 once the probe is baked
} probes;

// Share of a probe in the light of a surface with normal n. What counts is the place in front of the surface, so that the
// walls of a room have the light of the side that they face.
float probe_share(int probe, vec3 position, vec3 n) {
    float fade = probes.lows[probe].w;
    vec3 at = position + n * fade;
    vec3 outside = max(max(probes.lows[probe].xyz - at, at - probes.highs[probe].xyz), 0.0);
    return clamp(1.0 - length(outside) / fade, 0.0, 1.0);
}

// Share of all probes, baked or not.
float probes_share(vec3 position, vec3 n, int count) {
    float left = 1.0;
    for (int i = 0; i < count; ++i) {
        left *= 1.0 - probe_share(i, position, n);
    }
    return 1.0 - left;
}
