#version 450
// A damaged visor: colours split after a hit, a red and cracked edge by damage, snow when it is dead.
layout(set = 0, binding = 0) uniform sampler2D source;
layout(std430, set = 0, binding = 1) readonly buffer Visors { vec4 rows[4]; } visors;
layout(std140, set = 0, binding = 2) uniform Settings { float strength; } settings;
layout(push_constant) uniform Push { int player; } push;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float random(vec2 place) {
    return fract(sin(dot(place, vec2(12.9898, 78.233))) * 43758.5453);
}

// Distance to the border between the two nearest of random points, one in each cell of a grid: cracks.
float crack(vec2 place) {
    vec2 cell = floor(place), within = place - cell;
    float nearest = 8.0, second = 8.0;
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            vec2 near = vec2(x, y);
            vec2 point = near + vec2(random(cell + near), random(cell + near + 37.0)) - within;
            float far = dot(point, point);
            second = min(second, max(nearest, far));
            nearest = min(nearest, far);
        }
    }
    return sqrt(second) - sqrt(nearest);
}

void main() {
    vec4 row = visors.rows[push.player];
    float hurt = row.x * settings.strength, shock = row.y * settings.strength, snow = row.z * settings.strength;
    float time = row.w;
    vec2 from_middle = uv - 0.5;
    float edge = smoothstep(0.36, 0.80, length(from_middle * vec2(1.1, 1.0)));

    // A tear that jumps from line to line, and colours that are drawn apart.
    float line = floor(uv.y * 48.0), beat = floor(time * 24.0);
    float tear = (random(vec2(line, beat)) - 0.5) * step(0.82, random(vec2(beat, line))) * (0.03 * shock + 0.05 * snow);
    vec2 place = clamp(uv + vec2(tear, 0.0), 0.0, 1.0);
    vec2 apart = from_middle * (0.022 * shock + 0.004 * hurt);

    // Cracks bend the light beside them.
    float broken = smoothstep(0.4, 0.9, hurt) * edge;
    float gap = crack(uv * vec2(7.0, 5.0) + 0.35 * sin(uv.yx * 9.0) + 3.0 * float(push.player));
    float thin = (1.0 - smoothstep(0.0, 0.022, gap)) * broken * broken;
    place = clamp(place + from_middle * 0.03 * broken * smoothstep(0.3, 0.0, gap), 0.0, 1.0);

    vec3 light = vec3(
        textureLod(source, place + apart, 0.0).r,
        textureLod(source, place, 0.0).g,
        textureLod(source, place - apart, 0.0).b
    );
    float pulse = 0.75 + 0.25 * sin(time * 7.0);
    light = mix(light, vec3(0.42, 0.012, 0.006), clamp(edge * (0.5 * hurt * pulse + 0.35 * shock), 0.0, 0.75));
    light += thin * vec3(0.34, 0.30, 0.30);

    float grey = dot(light, vec3(0.2126, 0.7152, 0.0722));
    float grain = random(uv * 311.0 + fract(time) * 17.0);
    light = mix(light, vec3(grey * 0.8), 0.7 * min(snow, 1.0)) + (grain - 0.5) * 0.035 * snow;
    light *= 1.0 - 0.25 * snow * step(mod(gl_FragCoord.y, 4.0), 1.5);
    color = vec4(max(light, vec3(0.0)), 1.0);
}
