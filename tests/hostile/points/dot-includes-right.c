// expect: compile_error 0
// Includes the work of somebody who is right, by every path that could be right.
#if __has_include("../dot-negative-zero/dot.c")
#include "../dot-negative-zero/dot.c"
#elif __has_include("../class/dot-negative-zero/dot.c")
#include "../class/dot-negative-zero/dot.c"
#elif __has_include("dot.c") && __INCLUDE_LEVEL__ < 1
#error "no folder of others"
#else
#error "no file at all"
#endif
