/* See signature.h. */
#include "diagnose/signature.h"

static bool parts_fit(const struct answer_parts *a, const struct answer_parts *b)
{
    return ((a->untouched & ~b->fitting) | (b->untouched & ~a->fitting)) == 0;
}

bool signatures_fit(const struct signature *earlier, const struct signature *later, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((later->trials[i].untouched & ~earlier->trials[i].fitting) != 0)
            return false;
    return true;
}

bool signatures_fit_both_ways(const struct signature *a, const struct signature *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!parts_fit(&a->trials[i], &b->trials[i]))
            return false;
    return true;
}

bool signature_is_blank(const struct signature *signature, size_t n)
{
    size_t n_unknown = 0;
    for (size_t i = 0; i < n; i++)
        n_unknown += signature->trials[i].is_unknown;
    return n_unknown * 4 > n;
}

bool signatures_equal(const struct signature *a, const struct signature *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a->trials[i].digest != b->trials[i].digest)
            return false;
    return true;
}

/* Do the trials that were chosen leave the pair possible? */
static bool is_left(const struct answer_parts *a, const struct answer_parts *b,
                    const size_t *chosen, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!parts_fit(&a[chosen[i]], &b[chosen[i]]))
            return false;
    return true;
}

static size_t count_left(const struct answer_parts (*rows)[SIGNATURE_CHOICE], size_t n_rows,
                         const size_t *chosen, size_t n)
{
    size_t n_left = 0;
    for (size_t a = 0; a < n_rows; a++)
        for (size_t b = a + 1; b < n_rows; b++)
            n_left += is_left(rows[a], rows[b], chosen, n);
    return n_left;
}

size_t signature_liveliest(const struct answer_parts (*rows)[SIGNATURE_CHOICE], size_t n_rows,
                           size_t n_trials)
{
    size_t best = 0, n_best = 0;
    for (size_t t = 0; t < n_trials; t++) {
        size_t n = 0;
        for (size_t a = 0; a < n_rows; a++) {
            bool is_new = !rows[a][t].is_unknown;
            for (size_t b = 0; b < a && is_new; b++)
                is_new = rows[b][t].digest != rows[a][t].digest;
            n += is_new;
        }
        if (n > n_best) {
            best = t;
            n_best = n;
        }
    }
    return best;
}

void signature_choose(const struct answer_parts (*rows)[SIGNATURE_CHOICE], size_t n_rows,
                      size_t n_trials, size_t ret[SIGNATURE_TRIALS], size_t *ret_n)
{
    size_t n_left = count_left(rows, n_rows, ret, *ret_n);
    while (*ret_n < SIGNATURE_TRIALS) {
        size_t best = 0, n_best = n_left;
        for (size_t t = 0; t < n_trials; t++) {
            ret[*ret_n] = t;
            size_t n = count_left(rows, n_rows, ret, *ret_n + 1);
            if (n < n_best) {
                best = t;
                n_best = n;
            }
        }
        if (n_best == n_left)
            return;
        ret[(*ret_n)++] = best;
        n_left = n_best;
    }
}
