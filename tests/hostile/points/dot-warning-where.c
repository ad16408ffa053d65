// expect: compile_error 0
// Tells where it is being graded, and when.
#include <stddef.h>
_Static_assert(0, __FILE__ " " __DATE__ " " __TIME__);
