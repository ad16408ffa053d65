/* See clip_internal.h. */
#include "optim/clip_internal.h"

#include <math.h>
#include <stdlib.h>

#include "optim/parts_internal.h"

/* The number of sums side by side, which become vectors. */
enum { LANES = 8 };

static double sum_of_squares(const float *x, size_t n)
{
    double sums[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; n - i >= LANES; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            sums[lane] += (double)x[i + lane] * (double)x[i + lane];
    for (; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    for (size_t lane = 0; lane < LANES; lane++)
        sum += sums[lane];
    return sum;
}

static void add_part(const void *context, size_t part, const struct parameter *parameter,
                     size_t begin, size_t n)
{
    double *const *sums = context;
    (*sums)[part] = sum_of_squares(parameter->gradient + begin, n);
}

bool gradient_norm(const struct parameter *parameters, size_t n_parameters, double *ret_norm,
                   struct error *reterr)
{
    size_t n = parts_count(parameters, n_parameters);
    double *sums = calloc(n + 1, sizeof *sums), sum = 0;
    if (sums == NULL)
        return error_memory(reterr, "clip");
    bool ok = parts_run("clip", parameters, n_parameters, add_part, &sums, reterr);
    for (size_t i = 0; i < n; i++)
        sum += sums[i];
    free(sums);
    if (ok)
        *ret_norm = sqrt(sum);
    return ok;
}

double clip_scale(double norm, double most)
{
    double scale = most / (norm + 1e-6);
    return scale > 1 ? 1 : scale;
}
