#version 450

void main() { what }
