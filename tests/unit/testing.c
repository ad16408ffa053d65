/* Helpers of the unit tests: see testing.h. */
#include "testing.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/tensor.h"

/* The counters of the failing allocations. They belong to the program, as malloc() does; atomic,
 * because code under test may allocate in several threads. */
static atomic_long n_allocations;
static atomic_long failing_allocation;

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *text);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);

/* Counts one allocation and tells whether it is the one that fails. */
static bool allocation_fails(void)
{
    return atomic_fetch_add(&n_allocations, 1) + 1 == atomic_load(&failing_allocation);
}

void *__wrap_malloc(size_t size)
{
    return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return allocation_fails() ? NULL : __real_realloc(block, size);
}

char *__wrap_strdup(const char *text)
{
    return allocation_fails() ? NULL : __real_strdup(text);
}

void testing_fail_allocation(long nth)
{
    atomic_store(&n_allocations, 0);
    atomic_store(&failing_allocation, nth > 0 ? nth : 0);
}

long testing_allocations(void)
{
    return atomic_load(&n_allocations);
}

void testing_check_failure(const char *file, int line, bool succeeded, long nth,
                           const struct error *error)
{
    long count = testing_allocations();
    testing_fail_allocation(0);
    bool reached = count >= nth;
    if (!succeeded && !reached) {
        print_error("only %ld allocations, none failed, yet: %s\n", count, error->text);
        _fail(file, line);
    }
    if (!succeeded && (error->kind != ERR_MEMORY || error->text[0] == '\0')) {
        print_error("allocation %ld failed, reported as kind %d: %s\n", nth, (int)error->kind,
                    error->text);
        _fail(file, line);
    }
    if (succeeded && reached) {
        print_error("allocation %ld failed and nobody noticed\n", nth);
        _fail(file, line);
    }
    if (succeeded && nth == 1) {
        print_error("nothing was allocated; is the program linked with --wrap=malloc?\n");
        _fail(file, line);
    }
}

static bool is_close(double got, double want, double tolerance)
{
    return got == want || fabs(got - want) <= tolerance;
}

void testing_close(const char *file, int line, double got, double want, double tolerance)
{
    if (is_close(got, want, tolerance))
        return;
    print_error("%.9g is not within %g of %.9g\n", got, tolerance, want);
    _fail(file, line);
}

static void check_shape(const char *file, int line, const struct tensor *got,
                        const struct tensor *want)
{
    if (tensor_same_shape(got, want))
        return;
    char got_text[TENSOR_SHAPE_TEXT], want_text[TENSOR_SHAPE_TEXT];
    print_error("the shape is %s, not %s\n", tensor_shape_text(got, got_text),
                tensor_shape_text(want, want_text));
    _fail(file, line);
}

void testing_tensor_close(const char *file, int line, const struct tensor *got, unsigned n_axes,
                          const size_t *shape, const float *numbers, double tolerance)
{
    struct tensor want = {.n_axes = n_axes};
    for (unsigned axis = 0; axis < n_axes; axis++)
        want.shape[axis] = shape[axis];
    check_shape(file, line, got, &want);
    size_t size = tensor_size(&want);
    for (size_t i = 0; i < size; i++) {
        double number = (double)tensor_at_position(got, i);
        if (is_close(number, (double)numbers[i], tolerance))
            continue;
        print_error("number %zu is %.9g, not within %g of %.9g\n", i, number, tolerance,
                    (double)numbers[i]);
        _fail(file, line);
    }
}

void testing_error(const char *file, int line, bool succeeded, const struct error *error,
                   enum error_kind wanted)
{
    if (!succeeded && error->kind == wanted && error->text[0] != '\0')
        return;
    if (succeeded)
        print_error("the call succeeded; an error of kind %d was due\n", (int)wanted);
    else
        print_error("kind %d instead of %d: \"%s\"\n", (int)error->kind, (int)wanted, error->text);
    _fail(file, line);
}

void testing_says(const char *file, int line, const struct error *error, const char *part)
{
    if (strstr(error->text, part) != NULL)
        return;
    print_error("\"%s\" is not in \"%s\"\n", part, error->text);
    _fail(file, line);
}

struct tensor testing_tensor(unsigned n_axes, const size_t *shape, const float *numbers)
{
    struct tensor made;
    struct error error;
    if (!tensor_from(n_axes, shape, numbers, &made, &error))
        fail_msg("%s", error.text);
    return made;
}

uint64_t testing_word(uint64_t *state)
{
    uint64_t word = *state += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

size_t testing_between(uint64_t *state, size_t low, size_t high)
{
    return low + (size_t)(testing_word(state) % (high - low + 1));
}

float testing_number(uint64_t *state)
{
    return (float)(testing_word(state) >> 40) * 0x1p-23f - 1.0f;
}

struct tensor testing_random_tensor(uint64_t *state, unsigned n_axes, const size_t *shape)
{
    struct tensor made;
    struct error error;
    if (!tensor_zeros(n_axes, shape, &made, &error))
        fail_msg("%s", error.text);
    size_t size = tensor_size(&made);
    for (size_t i = 0; i < size; i++)
        made.data[i] = testing_number(state);
    return made;
}
