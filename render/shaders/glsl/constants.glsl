// Mathematical constants.

const float PI = 3.14159265358979323846;
const float TWO_PI = 6.28318530717958647692;
const float HALF_PI = 1.57079632679489661923;
const float INV_PI = 0.31830988618379067154;
const float GOLDEN_RATIO = 1.61803398874989484820;
const float GOLDEN_ANGLE = 2.39996322972865332223;  // radians
const float EPSILON = 1e-6;
const float HALF_MAX = 65504.0;  // the largest finite 16-bit float
