// The camera and the sun, which stand still. Reversed depth: 1 at the near plane of the camera, 0 far away.

const float NEAR = 0.2;
const vec3 EYE = vec3(0.0, 9.0, 22.0);
const vec3 RIGHT = vec3(1.0, 0.0, 0.0);
const vec3 UP = vec3(0.0, 0.9138115, -0.4061384);
const vec3 FORWARD = vec3(0.0, -0.4061384, -0.9138115);
const vec2 LENS = vec2(0.9, 1.6);

const vec3 TO_SUN = vec3(0.4558423, 0.6837635, 0.5698029);
const vec3 SUN_RIGHT = vec3(0.7808688, 0.0, -0.6246951);
const vec3 SUN_UP = vec3(-0.4271437, 0.7297039, -0.5339297);
const float SUN_DEPTH = 120.0;
const float NEAR_REACH = 16.0;
const float FAR_REACH = 60.0;

vec4 seen_by_camera(vec3 place) {
    vec3 off = place - EYE;
    return vec4(dot(off, RIGHT) * LENS.x, dot(off, UP) * LENS.y, NEAR, dot(off, FORWARD));
}

vec4 seen_by_sun(vec3 place, float reach) {
    float depth = dot(place, TO_SUN) / SUN_DEPTH + 0.5;
    return vec4(dot(place, SUN_RIGHT) / reach, dot(place, SUN_UP) / reach, depth, 1.0);
}

vec3 place_of(vec2 uv, float depth) {
    vec2 clip = vec2(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0) / LENS;
    return EYE + (FORWARD + RIGHT * clip.x + UP * clip.y) * (NEAR / max(depth, 1e-5));
}
