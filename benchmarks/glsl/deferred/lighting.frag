#version 450
#include "camera.glsl"

layout(set = 0, binding = 0) uniform sampler2D albedo;
layout(set = 0, binding = 1) uniform sampler2D direction;
layout(set = 0, binding = 2) uniform sampler2D material;
layout(set = 0, binding = 3) uniform sampler2D depth;
layout(set = 0, binding = 4) uniform sampler2D occlusion;
layout(set = 0, binding = 5) uniform sampler2D near_shadow;
layout(set = 0, binding = 6) uniform sampler2D far_shadow;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float lit(sampler2D map, vec3 at) {
    vec2 texel = 1.0 / vec2(textureSize(map, 0));
    float sum = 0.0;
    for (int y = -1; y <= 2; ++y) {
        for (int x = -1; x <= 2; ++x) {
            sum += step(textureLod(map, at.xy + (vec2(x, y) - 0.5) * texel, 0.0).r, at.z + 0.004);
        }
    }
    return sum / 16.0;
}

vec3 in_map(vec3 place, float reach) {
    vec3 seen = seen_by_sun(place, reach).xyz;
    return vec3(seen.x * 0.5 + 0.5, 0.5 - seen.y * 0.5, seen.z);
}

void main() {
    float here = textureLod(depth, uv, 0.0).r;
    if (here <= 0.0) {
        color = vec4(mix(vec3(0.5, 0.6, 0.8), vec3(0.1, 0.3, 0.8), 1.0 - uv.y) * 2.0, 1.0);
        return;
    }
    vec3 place = place_of(uv, here);
    vec3 normal = textureLod(direction, uv, 0.0).xyz;
    vec4 surface = textureLod(material, uv, 0.0);
    vec3 closer = in_map(place, NEAR_REACH);
    vec2 border = abs(closer.xy - 0.5);
    float sun = max(border.x, border.y) < 0.48 ? lit(near_shadow, closer) : lit(far_shadow, in_map(place, FAR_REACH));
    vec3 to_eye = normalize(EYE - place);
    vec3 middle = normalize(to_eye + TO_SUN);
    float shine = pow(max(dot(normal, middle), 0.0), mix(8.0, 256.0, surface.y)) * surface.x * 4.0;
    float diffuse = max(dot(normal, TO_SUN), 0.0);
    vec3 base = textureLod(albedo, uv, 0.0).rgb;
    vec3 ambient = base * 0.3 * textureLod(occlusion, uv, 0.0).r;
    vec3 sum = ambient + (base * diffuse + shine) * sun * vec3(3.0, 2.8, 2.4);
    for (int i = 0; i < 8; ++i) {
        vec3 lamp = vec3(float(i % 4) * 8.0 - 12.0, 3.0, float(i / 4) * 10.0 - 5.0);
        vec3 off = lamp - place;
        float fall = max(dot(normal, normalize(off)), 0.0) / (1.0 + dot(off, off));
        sum += base * fall * vec3(8.0, 5.0, 2.0);
    }
    color = vec4(sum, 1.0);
}
