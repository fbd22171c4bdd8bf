#version 450
#include "per_invocation.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D panel;
layout(set = 0, binding = 2) uniform Optics {
    vec4 edges;  // tangents of the left, right, lower and upper edge
    float k1;
    float k2;
    float spread;
    float reach;
    vec3 hud_eye;
    vec2 hud_size;
    mat4 hud_turn;
} optics;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

vec2 tangent_of(vec2 place) {
    return vec2(mix(optics.edges.x, optics.edges.y, place.x), mix(optics.edges.w, optics.edges.z, place.y));
}

vec2 place_of(vec2 tangent) {
    return vec2((tangent.x - optics.edges.x) / (optics.edges.y - optics.edges.x),
                (optics.edges.w - tangent.y) / (optics.edges.w - optics.edges.z));
}

// Tangent at which a tangent of the display is seen through the lens.
vec2 seen_at(vec2 tangent) {
    float square = dot(tangent, tangent);
    return tangent * optics.reach * (1.0 + square * (optics.k1 + square * optics.k2));
}

// The picture at a uv; black outside.
vec3 picture(vec2 place) {
    vec2 inside = step(vec2(0.0), place) * step(place, vec2(1.0));
    return textureLod(source, place, 0.0).rgb * inside.x * inside.y;
}

// The HUD panel at a tangent, premultiplied alpha.
vec4 hud(vec2 tangent) {
    vec3 way = mat3(optics.hud_turn) * vec3(tangent, -1.0);
    vec2 hit = optics.hud_eye.xy + way.xy * (1.0 + optics.hud_eye.z) / -way.z;
    vec2 place = vec2(0.5, 0.5) + vec2(0.5, -0.5) * hit / optics.hud_size;
    vec2 inside = step(vec2(0.0), place) * step(place, vec2(1.0));
    return textureLod(panel, place, 0.0) * inside.x * inside.y;
}

vec3 shown(vec2 tangent, vec2 place) {
    vec4 over = hud(tangent);
    return picture(place) * (1.0 - over.a) + over.rgb;
}

vec3 shown(vec2 tangent) {
    return shown(tangent, place_of(tangent));
}

void main() {
    vec2 tangent = tangent_of(uv);
    vec3 color;
    if (per_invocation(vec2(optics.k1, optics.k2) == vec2(0.0), int(gl_FragCoord.x))) {
        color = shown(tangent, uv);
    } else {
        tangent = seen_at(tangent);
        color = shown(tangent);
    }
    if (per_invocation(optics.spread > 0.0, int(gl_FragCoord.x))) {
        color.r = shown(tangent * (1.0 - optics.spread)).r;
        color.b = shown(tangent * (1.0 + optics.spread)).b;
    }
    out_color = vec4(color, 1.0);
}
