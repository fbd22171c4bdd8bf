// Numbers of uniform blocks that decide how often a loop runs, or which branch is taken.
//
// llvmpipe (Mesa 22.3) compiles a shader for the values of the numbers that alone decide its control flow, again for each
// frame whose blocks were written, and keeps every copy: frames take long, and memory grows without end. It leaves control
// flow alone that depends on the invocation, too. These functions make it so. Elsewhere they cost a minimum.
//
// `invocation` is a number from 0 on that differs between invocations and that compilers do not know: int(gl_FragCoord.x),
// gl_VertexIndex, int(gl_GlobalInvocationID.x).

// `value`, which is at most 65535.
int per_invocation(int value, int invocation) {
    return min(value, 65535 + invocation);
}

// `condition`. Compilers turn || into branches, so this is arithmetic.
bool per_invocation(bool condition, int invocation) {
    return (int(condition) | int(invocation == -1)) != 0;
}
