// Hashed alpha: a threshold for each place of a surface, evenly spread from 0 to 1 (Wyman and McGuire, "Hashed Alpha
// Testing", 2017). The share of a surface whose alpha is below it is 1 - alpha at each distance.

// A number from 0 to 1 for a cell of a grid (pcg2d of Jarzynski and Olano, 2020).
float number_of_cell(vec2 cell, uint seed) {
    uvec2 v = (uvec2(ivec2(cell)) + seed * uvec2(2654435761u, 2246822519u)) * 1664525u + 1013904223u;
    v.x += v.y * 1664525u;
    v.y += v.x * 1664525u;
    v ^= v >> 16u;
    v.x += v.y * 1664525u;
    v.y += v.x * 1664525u;
    v ^= v >> 16u;
    return float(v.x >> 8u) / 16777216.0;
}

// The threshold at texture coordinates, which hold it in place while the camera or the surface moves. They change by
// `rate` over a texel of the picture; the cells are about as large, between two sizes that are powers of two. A `turn`
// from 0 to 1, another one for each sample of a texel, spreads the thresholds of the samples evenly. A `seed` for each
// entity keeps many of a mesh from having the same thresholds: together they would cover too much, or too little.
float hashed_threshold(vec2 uv, vec2 rate, uint seed, float turn) {
    // A mesh without texture coordinates has the same at all places: there the picture holds the threshold.
    bvec2 still = lessThan(rate, vec2(1e-9));
    vec2 place = mix(uv, gl_FragCoord.xy, still);
    vec2 octave = -log2(mix(rate, vec2(1.0), still));
    float coarse = number_of_cell(floor(exp2(floor(octave)) * place), seed);
    float fine = number_of_cell(floor(exp2(ceil(octave)) * place), seed);
    float from_coarse = length(fract(octave)), from_fine = length(1.0 - fract(octave));
    float share = from_coarse / (from_coarse + from_fine);
    float x = mix(coarse, fine, share);
    // The mean of two even distributions is none: its distribution function makes it one.
    float least = max(min(share, 1.0 - share), 1e-4), most = 1.0 - least;
    float rising = x * x / (2.0 * least * most), falling = (1.0 - x) * (1.0 - x) / (2.0 * least * most);
    float even = x < least ? rising : x < most ? (x - 0.5 * least) / most : 1.0 - falling;
    return max(fract(even + turn), 1e-6);
}
