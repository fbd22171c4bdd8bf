// Colours as luminance and two differences, in which the box around a neighbourhood is small (Salvi 2016).

vec3 to_ycocg(vec3 c) {
    return vec3(dot(c, vec3(0.25, 0.5, 0.25)), 0.5 * (c.r - c.b), dot(c, vec3(-0.25, 0.5, -0.25)));
}

vec3 from_ycocg(vec3 c) {
    float t = c.x - c.z;
    return vec3(t + c.y, c.x + c.z, t - c.y);
}

// Clips a colour towards the mean, to the box around the mean (Salvi 2016).
vec3 clipped(vec3 color, vec3 mean, vec3 extent) {
    vec3 from_mean = color - mean;
    vec3 units = abs(from_mean) / max(extent, 1e-5);
    float most = max(units.x, max(units.y, units.z));
    return most > 1.0 ? mean + from_mean / most : color;
}
