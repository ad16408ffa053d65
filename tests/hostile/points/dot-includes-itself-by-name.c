// expect: compile_error 0
// Includes whatever __FILE__ and its folder are.
#define HERE __FILE__
#if __INCLUDE_LEVEL__ < 3
#include HERE
#endif
#include "dot-negative-zero/../dot-negative-zero/dot.c"
