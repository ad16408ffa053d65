// expect: compile_error 0
// Takes a file of the machine's in with #embed.
#include <stddef.h>
static const unsigned char secret[] = {
#embed "/etc/hostname"
};

float dot(size_t n, const float *a, const float *b)
{
    (void)n, (void)a, (void)b;
    return secret[0];
}
