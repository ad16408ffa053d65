// expect: wrong_answer 0
// Prints its inputs, to be read in the report.
#include <stdio.h>
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    (void)b;
    printf("::error::LEAKED %a\n", (double)a[n - 1]);
    fprintf(stderr, "LEAKED %a\n", (double)b[0]);
    return 0.5f;
}
