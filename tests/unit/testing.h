/* What the unit tests share: comparisons of numbers and tensors, small builders, and allocations
 * that fail on demand.
 *
 * Every program with testing.c in it is linked with
 *   -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup
 * so that these calls of the code under test (and of the test) go through testing.c. */
#ifndef ATTN_TESTS_TESTING_H
#define ATTN_TESTS_TESTING_H

/* cmocka.h needs the first four. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdbool.h>

#include "base/error.h"

struct tensor;

/* Comparisons. Each fails when a number is NaN, on either side; ask isnan() where NaN is meant.
 * Equal infinities are close. */

/* |got - want| <= tolerance. */
#define assert_close(got, want, tolerance) \
    testing_close(__FILE__, __LINE__, (double)(got), (double)(want), (double)(tolerance))

/* assert_tensor_close(x, n_axes, shape, numbers, tolerance): *x has this shape, and every number of
 * it is close to numbers[...], row-major. Compound literals need no extra parentheses:
 *   assert_tensor_close(&x, 2, (size_t[]){2, 1}, (float[]){0.5f, 1}, 1e-6); */
#define assert_tensor_close(...) testing_tensor_close(__FILE__, __LINE__, __VA_ARGS__)

/* assert_error(succeeded, error, kind): a call gave false, and this kind of error with a message.
 */
#define assert_error(succeeded, error, wanted) \
    testing_error(__FILE__, __LINE__, succeeded, &(error), wanted)

/* The message of `error` contains `part`. */
#define assert_says(error, part) testing_says(__FILE__, __LINE__, &(error), part)

/* ---- builders ---- */

/* A tensor that holds a copy of numbers, row-major; the test fails where it can't be made. */
struct tensor testing_tensor(unsigned n_axes, const size_t *shape, const float *numbers);

/* Numbers for property tests, from a stream of their own (splitmix64, Steele et al. 2014), so that
 * they do not rest on the code under test. *state is the seed at first, any number. */
uint64_t testing_word(uint64_t *state);
/* A whole number from low to high, both included. */
size_t testing_between(uint64_t *state, size_t low, size_t high);
/* Uniform in [-1, 1). */
float testing_number(uint64_t *state);
/* A dense tensor of such numbers. */
struct tensor testing_random_tensor(uint64_t *state, unsigned n_axes, const size_t *shape);

/* ---- allocations ---- */

/* The nth allocation from now on fails, 1 being the next; all others are served. 0 or less: none
 * fails. Counting starts anew. */
void testing_fail_allocation(long nth);
/* Allocations asked for since the last call of testing_fail_allocation(). */
long testing_allocations(void);

/* Evaluates `call`, an expression that is true on success and fills `error` (a struct error) on
 * failure, with its first allocation failing, then its second, and so on until it succeeds: each of
 * the first hundred, then ever fewer, as a long call does the same again and again. Each
 * failure must be reported as ERR_MEMORY, none may be passed over, and there must be at least one
 * allocation. After it, `call` has succeeded once: its results are there to be released. */
#define assert_reports_failed_allocations(call, error)                                           \
    do {                                                                                         \
        bool testing_succeeded = false;                                                          \
        for (long testing_nth = 1; !testing_succeeded; testing_nth += 1 + testing_nth / 100) {   \
            (error) = (struct error){.kind = ERR_NONE};                                          \
            testing_fail_allocation(testing_nth);                                                \
            testing_succeeded = (call);                                                          \
            testing_check_failure(__FILE__, __LINE__, testing_succeeded, testing_nth, &(error)); \
        }                                                                                        \
    } while (0)

/* What the macros call. */
void testing_close(const char *file, int line, double got, double want, double tolerance);
void testing_tensor_close(const char *file, int line, const struct tensor *got, unsigned n_axes,
                          const size_t *shape, const float *numbers, double tolerance);
void testing_error(const char *file, int line, bool succeeded, const struct error *error,
                   enum error_kind wanted);
void testing_says(const char *file, int line, const struct error *error, const char *part);
void testing_check_failure(const char *file, int line, bool succeeded, long nth,
                           const struct error *error);

#endif
