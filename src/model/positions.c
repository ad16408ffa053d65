/* See positions.h. Angles are worked out in double. */
#include "model/positions.h"

#include <math.h>

#include "graph/builder.h"
#include "graph/node.h"

struct node *positions_sinusoidal(struct builder *b, size_t first, size_t n, size_t d_model)
{
    struct tensor table;
    if (!tensor_empty(2, (size_t[]){n, d_model}, &table, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < d_model; i++) {
            double power = (double)(i / 2 * 2) / (double)d_model;
            double angle = (double)(first + p) / pow(10000, power);
            table.data[p * d_model + i] = (float)(i % 2 == 0 ? sin(angle) : cos(angle));
        }
    return build_input(b, &table, "sinusoidal_positions");
}

/* A leaf of n x d whose halves are the same: a function of each pair's angle. */
static struct node *angle_table(struct builder *b, size_t first, size_t n, size_t d, double theta,
                                double (*function)(double angle), const char *name)
{
    struct tensor table;
    if (!tensor_empty(2, (size_t[]){n, d}, &table, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < d; i++) {
        double step = pow(theta, -2.0 * (double)(i % (d / 2)) / (double)d);
        for (size_t p = 0; p < n; p++)
            table.data[p * d + i] = (float)function((double)(first + p) * step);
    }
    return build_name(b, build_input(b, &table, name), name);
}

struct node *positions_turn(struct builder *b, struct node *x, size_t first, double theta)
{
    if (x == NULL)
        return NULL;
    unsigned last = x->value.n_axes - 1;
    size_t n = x->value.shape[last - 1], d = x->value.shape[last];
    struct node *left = build_slice(b, x, last, 0, d / 2);
    struct node *right = build_slice(b, x, last, d / 2, d / 2);
    struct node *halves[] = {build1(b, OP_NEG, right), left};
    ptrdiff_t axis = (ptrdiff_t)last;
    struct node *turned = build_many(b, OP_CAT, 2, halves, 1, &axis);
    struct node *cosines = angle_table(b, first, n, d, theta, cos, "rope_cos");
    struct node *sines = angle_table(b, first, n, d, theta, sin, "rope_sin");
    return build2(b, OP_ADD, build2(b, OP_MUL, x, cosines), build2(b, OP_MUL, turned, sines));
}
