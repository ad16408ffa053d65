/* See positions.h. Angles are worked out in double. */
#include "model/positions.h"

#include <math.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "model/config.h"

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

/* The angle between two positions that are neighbours, with a stretch. */
static double stretched(const struct rope_stretch *stretch, double step)
{
    static const double whole_turn = 6.283185307179586;
    double turns, kept;
    switch (stretch->kind) {
    case STRETCH_NONE:
        return step;
    case STRETCH_LINEAR:
        return step / stretch->factor;
    case STRETCH_LLAMA3:
        turns = stretch->n_before * step / whole_turn;
        kept = (turns - stretch->slow_turns) / (stretch->fast_turns - stretch->slow_turns);
        kept = kept < 0 ? 0 : kept > 1 ? 1 : kept;
        return (1 - kept) * step / stretch->factor + kept * step;
    }
    return step;
}

/* How the angles of pairs grow. */
struct rotation {
    size_t first; /* position */
    double theta;
    const struct rope_stretch *stretch;
};

/* A leaf of n x d whose halves are the same: a function of each pair's angle. */
static struct node *angle_table(struct builder *b, const struct rotation *rotation, size_t n,
                                size_t d, double (*function)(double angle), const char *name)
{
    struct tensor table;
    if (!tensor_empty(2, (size_t[]){n, d}, &table, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < d; i++) {
        double step = pow(rotation->theta, -2.0 * (double)(i % (d / 2)) / (double)d);
        step = stretched(rotation->stretch, step);
        for (size_t p = 0; p < n; p++)
            table.data[p * d + i] = (float)function((double)(rotation->first + p) * step);
    }
    return build_name(b, build_input(b, &table, name), name);
}

struct node *positions_turn(struct builder *b, struct node *x, size_t first, double theta,
                            const struct rope_stretch *stretch)
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
    const struct rotation rotation = {first, theta, stretch};
    struct node *cosines = angle_table(b, &rotation, n, d, cos, "rope_cos");
    struct node *sines = angle_table(b, &rotation, n, d, sin, "rope_sin");
    return build2(b, OP_ADD, build2(b, OP_MUL, x, cosines), build2(b, OP_MUL, turned, sines));
}
