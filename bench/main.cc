#include "bench/commands.h"

int main(int argc, char** argv) { return idbench::RunProgram({argv + 1, argv + argc}); }
