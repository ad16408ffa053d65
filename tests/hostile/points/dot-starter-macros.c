// expect: not_implemented|wrong_answer 0
// The starter behind macros.
#include <stddef.h>
#define BEGIN {
#define END }
#define NOTHING 0
float dot(size_t n, const float *a, const float *b) BEGIN(void) n, (void)a, (void)b;
return NOTHING;
END
