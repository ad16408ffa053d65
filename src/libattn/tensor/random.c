/* MT19937 and the ways PyTorch cuts its stream: see random.h. */
#include "tensor/random.h"

#include <float.h>
#include <math.h>

enum { STATE_WORDS = 624, STATE_MIDDLE = 397, BLOCK = 16 };

static const double TWO_PI = 6.283185307179586476925286766559;

void random_seed(struct random *random, uint32_t seed)
{
    *random = (struct random){.next = STATE_WORDS};
    random->state[0] = seed;
    for (uint32_t i = 1; i < STATE_WORDS; i++) {
        uint32_t previous = random->state[i - 1];
        random->state[i] = 1812433253U * (previous ^ (previous >> 30)) + i;
    }
}

static void make_words(uint32_t *state)
{
    for (size_t i = 0; i < STATE_WORDS; i++) {
        uint32_t mixed = (state[i] & 0x80000000U) | (state[(i + 1) % STATE_WORDS] & 0x7FFFFFFFU);
        uint32_t twist = (mixed & 1U) ? 0x9908B0DFU : 0;
        state[i] = state[(i + STATE_MIDDLE) % STATE_WORDS] ^ (mixed >> 1) ^ twist;
    }
}

uint32_t random_word(struct random *random)
{
    if (random->next == STATE_WORDS) {
        make_words(random->state);
        random->next = 0;
    }
    uint32_t word = random->state[random->next++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9D2C5680U;
    word ^= (word << 15) & 0xEFC60000U;
    return word ^ (word >> 18);
}

double random_uniform53(struct random *random)
{
    uint64_t high = random_word(random);
    uint64_t word = high << 32 | random_word(random);
    return (double)(word & ((UINT64_C(1) << 53) - 1)) * 0x1p-53;
}

void random_uniform(struct random *random, size_t count, float *numbers)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)(random_word(random) & 0xFFFFFFU) * 0x1p-24F;
}

/* log, sine and cosine of float32 as PyTorch computes them for normal numbers, on whose last digits
 * all that is drawn depends: the polynomials of Cephes (aten/src/ATen/native/cpu/avx_mathfun.h),
 * whose products and sums its compiler fuses. */
static float polynomial(float x, const float *factors, size_t n)
{
    float y = factors[0];
    for (size_t i = 1; i < n; i++)
        y = fmaf(y, x, factors[i]);
    return y;
}

static float log_of(float x)
{
    static const float factors[] = {7.0376836292E-2F,  -1.1514610310E-1F, 1.1676998740E-1F,
                                    -1.2420140846E-1F, 1.4249322787E-1F,  -1.6668057665E-1F,
                                    2.0000714765E-1F,  -2.4999993993E-1F, 3.3333331174E-1F};
    int exponent;
    float fraction = frexpf(x < FLT_MIN ? FLT_MIN : x, &exponent);
    float e = (float)exponent, rest = fraction - 1;
    if (fraction < 0.707106781186547524F) {
        e -= 1;
        rest += fraction;
    }
    float square = rest * rest;
    float y = polynomial(rest, factors, sizeof factors / sizeof *factors) * rest;
    y = fmaf(y, square, e * -2.12194440e-4F);
    y = fmaf(-square, 0.5F, y);
    return fmaf(e, 0.693359375F, rest + y);
}

/* x: from 0 to 2 pi */
static void sine_and_cosine(float x, float *ret_sine, float *ret_cosine)
{
    static const float of_cosine[] = {2.443315711809948E-005F, -1.388731625493765E-003F,
                                      4.166664568298827E-002F};
    static const float of_sine[] = {-1.9515295891E-4F, 8.3321608736E-3F, -1.6666654611E-1F};
    int octant = ((int)(x * 1.27323954473516F) + 1) & ~1;
    float turns = (float)octant;
    x = fmaf(turns, -0.78515625F, x);
    x = fmaf(turns, -2.4187564849853515625e-4F, x);
    x = fmaf(turns, -3.77489497744594108e-8F, x);
    float square = x * x;
    float cosine = polynomial(square, of_cosine, 3) * square;
    cosine = fmaf(cosine, square, -(square * 0.5F)) + 1;
    float sine = fmaf(polynomial(square, of_sine, 3) * square, x, x);
    bool swaps = (octant & 2) != 0;
    *ret_sine = ((octant & 4) != 0 ? -1.0F : 1.0F) * (swaps ? cosine : sine);
    *ret_cosine = (((octant - 2) & 4) == 0 ? -1.0F : 1.0F) * (swaps ? sine : cosine);
}

/* Turns 16 uniforms into normals, in place: half of them are radii, half angles. */
static void normal_block(float *numbers)
{
    for (size_t i = 0; i < BLOCK / 2; i++) {
        float radius = sqrtf(-2 * log_of(1 - numbers[i])), sine, cosine;
        sine_and_cosine((float)TWO_PI * numbers[i + BLOCK / 2], &sine, &cosine);
        numbers[i] = radius * cosine;
        numbers[i + BLOCK / 2] = radius * sine;
    }
}

static double normal_one(struct random *random)
{
    if (random->has_spare) {
        random->has_spare = false;
        return random->spare_normal;
    }
    double angle = TWO_PI * random_uniform53(random);
    double radius = sqrt(-2 * log1p(-random_uniform53(random)));
    random->spare_normal = radius * sin(angle);
    random->has_spare = true;
    return radius * cos(angle);
}

void random_normal(struct random *random, size_t count, float *numbers)
{
    if (count < BLOCK) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = (float)normal_one(random);
        return;
    }
    random_uniform(random, count, numbers);
    for (size_t i = 0; i + BLOCK <= count; i += BLOCK)
        normal_block(numbers + i);
    if (count % BLOCK != 0) {
        random_uniform(random, BLOCK, numbers + count - BLOCK);
        normal_block(numbers + count - BLOCK);
    }
}

uint32_t random_below(struct random *random, uint32_t limit)
{
    return random_word(random) % limit;
}

void random_dropout(struct random *random, double p, size_t count, float *numbers)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = random_uniform53(random) < 1 - p ? (float)(1 / (1 - p)) : 0;
}
