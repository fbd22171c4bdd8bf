#version 450
#include "camera.glsl"

// Light scattered on the way to the eye, where the far shadow map says that the sun shines.
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D depth;
layout(set = 0, binding = 2) uniform sampler2D far_shadow;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec3 way = place_of(uv, textureLod(depth, uv, 0.0).r) - EYE;
    float far = min(length(way), 60.0);
    way = normalize(way) * far;
    float sun = 0.0;
    for (int i = 0; i < 8; ++i) {
        vec3 seen = seen_by_sun(EYE + way * (float(i) + 0.5) / 8.0, FAR_REACH).xyz;
        sun += step(textureLod(far_shadow, vec2(seen.x * 0.5 + 0.5, 0.5 - seen.y * 0.5), 0.0).r, seen.z);
    }
    float clear = exp(-far * 0.006);
    color = vec4(mix(vec3(0.4, 0.5, 0.6) * (0.4 + sun / 8.0), textureLod(source, uv, 0.0).rgb, clear), 1.0);
}
