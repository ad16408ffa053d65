/* MT19937 and the ways PyTorch cuts its stream: see random.h. */
#include "tensor/random.h"

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

/* Turns 16 uniforms into normals, in place: half of them are radii, half angles. */
static void normal_block(float *numbers)
{
    for (size_t i = 0; i < BLOCK / 2; i++) {
        float radius = sqrtf(-2 * logf(1 - numbers[i]));
        float angle = (float)TWO_PI * numbers[i + BLOCK / 2];
        numbers[i] = radius * cosf(angle);
        numbers[i + BLOCK / 2] = radius * sinf(angle);
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
