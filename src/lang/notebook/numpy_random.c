/* The draws of np.random.default_rng(): PCG64, seeded by numpy's SeedSequence, and the numbers that
 * numpy makes of its bits. The parts that are easier in Python stand in python/numpy.random.py.
 *
 * A generator's state is an array of whole numbers that its object keeps: state and increment of
 * 128 bits each, and half of the last 64 bits, which the next 32 bits are.
 * Sources: O'Neill 2014, "PCG"; Lemire 2019, "Fast Random Integer Generation in an Interval";
 * Marsaglia and Tsang 2000, "The Ziggurat Method"; numpy/random of NumPy 1.24. */
#include <math.h>
#include <time.h>

#include "base/array.h"
#include "lang/notebook/ndarray_internal.h"
#include "lang/notebook/ziggurat_internal.h"

__extension__ typedef unsigned __int128 uint128;

enum {
    PCG_STATE_HIGH,
    PCG_STATE_LOW,
    PCG_STEP_HIGH,
    PCG_STEP_LOW,
    PCG_HAS_HALF,
    PCG_HALF,
    PCG_CELLS
};
enum { POOL = 4 };

/* ---- bits ---- */

static uint128 joined(const union nd_cell *cells, size_t high)
{
    return (uint128)(uint64_t)cells[high].whole << 64 | (uint64_t)cells[high + 1].whole;
}

static uint128 stepped(uint128 state, uint128 step)
{
    return state * ((uint128)2549297995355413924U << 64 | 4865540595714422341U) + step;
}

static void keep_state(union nd_cell *cells, uint128 state)
{
    cells[PCG_STATE_HIGH].whole = (int64_t)(uint64_t)(state >> 64);
    cells[PCG_STATE_LOW].whole = (int64_t)(uint64_t)state;
}

static uint64_t next64(union nd_cell *cells)
{
    uint128 state = stepped(joined(cells, PCG_STATE_HIGH), joined(cells, PCG_STEP_HIGH));
    keep_state(cells, state);
    uint64_t mixed = (uint64_t)(state >> 64) ^ (uint64_t)state;
    unsigned turn = (unsigned)(state >> 122);
    return mixed >> turn | mixed << (-turn & 63U);
}

static uint32_t next32(union nd_cell *cells)
{
    if (cells[PCG_HAS_HALF].whole) {
        cells[PCG_HAS_HALF].whole = 0;
        return (uint32_t)cells[PCG_HALF].whole;
    }
    uint64_t bits = next64(cells);
    cells[PCG_HAS_HALF].whole = 1;
    cells[PCG_HALF].whole = (int64_t)(bits >> 32);
    return (uint32_t)bits;
}

/* ---- numbers ---- */

static double next_double(union nd_cell *cells)
{
    return (double)(next64(cells) >> 11) * 0x1p-53;
}

static double next_normal(union nd_cell *cells)
{
    const double edge = 3.6541528853610087963519472518;
    for (;;) {
        uint64_t bits = next64(cells), layer = bits & 0xFF, size = bits >> 9 & 0x000FFFFFFFFFFFFF;
        double x = (double)size * ziggurat_steps[layer];
        x = bits >> 8 & 1 ? -x : x;
        if (size < ziggurat_inside[layer])
            return x;
        if (layer > 0) {
            double low = ziggurat_heights[layer], high = ziggurat_heights[layer - 1];
            if ((high - low) * next_double(cells) + low < exp(-0.5 * x * x))
                return x;
            continue;
        }
        for (;;) { /* the tail */
            double more = -0.27366123732975827203338247596 * log1p(-next_double(cells));
            double y = -log1p(-next_double(cells));
            if (y + y > more * more)
                return size >> 8 & 1 ? -(edge + more) : edge + more;
        }
    }
}

/* A whole number from 0 to most: a product with the next bits, thrown away where it would be
 * uneven. */
static uint64_t next_up_to(union nd_cell *cells, uint64_t most)
{
    if (most == 0)
        return 0;
    if (most == UINT32_MAX)
        return next32(cells);
    if (most == UINT64_MAX)
        return next64(cells);
    if (most < UINT32_MAX) {
        uint32_t n = (uint32_t)most + 1, uneven = (uint32_t)(UINT32_MAX - (uint32_t)most) % n;
        uint64_t product = (uint64_t)next32(cells) * n;
        while ((uint32_t)product < n && (uint32_t)product < uneven)
            product = (uint64_t)next32(cells) * n;
        return product >> 32;
    }
    uint64_t n = most + 1, uneven = (UINT64_MAX - most) % n;
    uint128 product = (uint128)next64(cells) * n;
    while ((uint64_t)product < n && (uint64_t)product < uneven)
        product = (uint128)next64(cells) * n;
    return (uint64_t)(product >> 64);
}

uint64_t nd_draw_up_to(nd_bits *bits, void *stream, uint64_t most)
{
    uint64_t mask = most, x;
    if (most == 0)
        return 0;
    for (unsigned shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    do
        x = bits(stream, most > UINT32_MAX) & mask;
    while (x > most);
    return x;
}

static uint64_t pcg_bits(void *stream, bool are_64)
{
    return are_64 ? next64(stream) : next32(stream);
}

/* ---- seeds ---- */

static uint32_t hashed(uint32_t value, uint32_t *key, uint32_t factor)
{
    value ^= *key;
    *key *= factor;
    value *= *key;
    return value ^ value >> 16;
}

static uint32_t mixed(uint32_t x, uint32_t y)
{
    uint32_t result = 0xCA01F9DDU * x - 0x4973F715U * y;
    return result ^ result >> 16;
}

static void seed_pcg(union nd_cell *cells, const uint32_t *entropy, size_t n)
{
    uint32_t pool[POOL], key = 0x43B0D7E5U, words[2 * POOL];
    const uint32_t factor = 0x931E8875U;
    for (size_t i = 0; i < POOL; i++)
        pool[i] = hashed(i < n ? entropy[i] : 0, &key, factor);
    for (size_t from = 0; from < POOL; from++)
        for (size_t to = 0; to < POOL; to++)
            if (from != to)
                pool[to] = mixed(pool[to], hashed(pool[from], &key, factor));
    for (size_t from = POOL; from < n; from++)
        for (size_t to = 0; to < POOL; to++)
            pool[to] = mixed(pool[to], hashed(entropy[from], &key, factor));
    key = 0x8B51F9DDU;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        words[i] = hashed(pool[i % POOL], &key, 0x58F38DEDU);
    uint64_t parts[POOL];
    for (size_t i = 0; i < POOL; i++)
        parts[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    uint128 begin = (uint128)parts[0] << 64 | parts[1];
    uint128 step = ((uint128)parts[2] << 64 | parts[3]) << 1 | 1;
    cells[PCG_STEP_HIGH].whole = (int64_t)(uint64_t)(step >> 64);
    cells[PCG_STEP_LOW].whole = (int64_t)(uint64_t)step;
    keep_state(cells, stepped(stepped(0, step) + begin, step));
}

/* ---- the rows ---- */

#define PCG(name) static bool name(struct native_call *c, struct value *ret)

/* _pcg(words): a new state from a list of whole numbers below 2^32; None: from the clock */
PCG(run_pcg)
{
    enum { MOST_WORDS = 64 };
    uint32_t entropy[MOST_WORDS] = {(uint32_t)time(NULL), (uint32_t)clock()};
    size_t n = 2;
    if (value_is(c->args[0], THING_LIST)) {
        const struct array *list = THING_AS(array, c->args[0]);
        if (list->n > MOST_WORDS)
            return raise_error(c->m, ERROR_VALUE, "attn takes seeds of up to %d words", MOST_WORDS);
        for (n = 0; n < list->n; n++) {
            int64_t word;
            if (!value_whole(c->m, list->items[n], &word))
                return false;
            entropy[n] = (uint32_t)word;
        }
    }
    struct ndarray *state = nd_new(c->m, DTYPE_INT64, 1, (size_t[]){PCG_CELLS});
    if (state != NULL)
        seed_pcg(state->first, entropy, n);
    *ret = value_thing(state);
    return state != NULL;
}

static union nd_cell *state_of(struct native_call *c)
{
    if (is_ndarray(c->args[0]) && as_ndarray(c->args[0])->dtype == DTYPE_INT64 &&
        nd_size(as_ndarray(c->args[0])) == PCG_CELLS)
        return as_ndarray(c->args[0])->first;
    raise_error(c->m, ERROR_TYPE, "this is not the state of a generator");
    return NULL;
}

/* No axes where no shape is given. */
static bool read_size(struct native_call *c, size_t i, size_t *ret, unsigned *ret_n)
{
    *ret_n = 0;
    return c->args[i].kind == VALUE_ABSENT || c->args[i].kind == VALUE_NONE ||
           nd_read_shape(c->m, c->args[i], ret, ret_n);
}

/* _pcg_draw(state, kind, shape): 0: from 0 to below 1; 1: normal; 2: float32 from 0 to below 1 */
PCG(run_pcg_draw)
{
    size_t shape[ND_MAX_AXES];
    unsigned n_axes = 0;
    int64_t kind;
    union nd_cell *state = state_of(c);
    if (state == NULL || !value_whole(c->m, c->args[1], &kind) || !read_size(c, 2, shape, &n_axes))
        return false;
    struct ndarray *a = nd_new(c->m, kind == 2 ? DTYPE_FLOAT32 : DTYPE_FLOAT64, n_axes, shape);
    for (size_t i = 0, n = a ? nd_size(a) : 0; i < n; i++)
        a->first[i].number = kind == 0   ? next_double(state)
                             : kind == 1 ? next_normal(state)
                                         : (double)((float)(next32(state) >> 8) * 0x1p-24F);
    return nd_result(a, ret);
}

/* _pcg_whole(state, low, most, shape): from low to most; without a shape an int */
PCG(run_pcg_whole)
{
    size_t shape[ND_MAX_AXES];
    unsigned n_axes = 0;
    int64_t low, most;
    union nd_cell *state = state_of(c);
    bool is_one = c->args[3].kind == VALUE_ABSENT || c->args[3].kind == VALUE_NONE;
    if (state == NULL || !value_whole(c->m, c->args[1], &low) ||
        !value_whole(c->m, c->args[2], &most) || !read_size(c, 3, shape, &n_axes))
        return false;
    if (is_one) {
        *ret = value_int(low + (int64_t)next_up_to(state, (uint64_t)most - (uint64_t)low));
        return true;
    }
    struct ndarray *a = nd_new(c->m, DTYPE_INT64, n_axes, shape);
    for (size_t i = 0, n = a ? nd_size(a) : 0; i < n; i++)
        a->first[i].whole = low + (int64_t)next_up_to(state, (uint64_t)most - (uint64_t)low);
    return nd_result(a, ret);
}

/* _pcg_masked(state, most) */
PCG(run_pcg_masked)
{
    int64_t most;
    union nd_cell *state = state_of(c);
    if (state == NULL || !value_whole(c->m, c->args[1], &most))
        return false;
    *ret = value_int((int64_t)nd_draw_up_to(pcg_bits, state, most < 0 ? 0 : (uint64_t)most));
    return true;
}

static const struct native rows[] = {
    {"_pcg", {"words=None"}, run_pcg},
    {"_pcg_draw", {"state", "kind", "shape=None"}, run_pcg_draw},
    {"_pcg_whole", {"state", "low", "most", "shape=None"}, run_pcg_whole},
    {"_pcg_masked", {"state", "most"}, run_pcg_masked},
};
const struct native_table numpy_generators = {rows, COUNT_OF(rows)};
