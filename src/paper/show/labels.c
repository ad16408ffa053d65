/* Counted, unchanging names of the positions along an axis: see labels.h. */
#include "show/labels.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* One block: the struct, then ends[n], then all names one after the other, each with its NUL. */
struct labels {
    size_t n_owners;
    size_t n;
    const char *bytes;
    size_t ends[]; /* name i's NUL is at bytes[ends[i]]; name i begins one after name i-1's NUL */
};

static size_t name_begin(const struct labels *labels, size_t i)
{
    return i == 0 ? 0 : labels->ends[i - 1] + 1;
}

static size_t name_size(const struct labels *labels, size_t i)
{
    return labels->ends[i] - name_begin(labels, i);
}

/* Labels for n names of bytes in all, NULs not among them; ends and names still to be filled in. */
static struct labels *allocate(size_t n, size_t n_bytes)
{
    size_t each = sizeof(size_t) + 1;
    if (n > (SIZE_MAX - sizeof(struct labels)) / each)
        return NULL;
    size_t fixed = sizeof(struct labels) + n * each;
    if (n_bytes > SIZE_MAX - fixed)
        return NULL;
    struct labels *made = malloc(fixed + n_bytes);
    if (made == NULL)
        return NULL;
    made->n_owners = 1;
    made->n = n;
    made->bytes = (const char *)(made->ends + n);
    return made;
}

/* Name i, after the names before it. */
static void fill(struct labels *labels, size_t i, const char *name, size_t size)
{
    char *bytes = (char *)(labels->ends + labels->n);
    size_t begin = name_begin(labels, i);
    memcpy(bytes + begin, name, size);
    bytes[begin + size] = '\0';
    labels->ends[i] = begin + size;
}

bool labels_new(size_t n, const char *const *names, const size_t *sizes, struct labels **ret,
                struct error *reterr)
{
    size_t n_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        size_t size = sizes != NULL ? sizes[i] : strlen(names[i]);
        if (size > SIZE_MAX - n_bytes)
            return error_memory(reterr, "labels");
        n_bytes += size;
    }
    struct labels *made = allocate(n, n_bytes);
    if (made == NULL)
        return error_memory(reterr, "labels");
    for (size_t i = 0; i < n; i++)
        fill(made, i, names[i], sizes != NULL ? sizes[i] : strlen(names[i]));
    *ret = made;
    return true;
}

/* ends[i] is where name i ends in the text. */
static bool take_written(size_t n, const struct text *all, const size_t *ends, const char **names,
                         size_t *sizes, struct labels **ret, struct error *reterr)
{
    for (size_t i = 0; i < n; i++) {
        size_t begin = i > 0 ? ends[i - 1] : 0;
        names[i] = text_string(all) + begin;
        sizes[i] = ends[i] - begin;
    }
    return labels_new(n, names, sizes, ret, reterr);
}

bool labels_written(size_t n, void (*write)(const void *about, size_t i, struct text *text),
                    const void *about, struct labels **ret, struct error *reterr)
{
    struct text all = {0};
    const char **names = calloc(n + 1, sizeof(*names));
    size_t *ends = calloc(n + 1, sizeof *ends), *sizes = calloc(n + 1, sizeof *sizes);
    bool ok = names != NULL && ends != NULL && sizes != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        write(about, i, &all);
        ends[i] = all.size;
    }
    ok = ok && !all.failed ? take_written(n, &all, ends, names, sizes, ret, reterr)
                           : error_memory(reterr, "labels");
    free(names);
    free(ends);
    free(sizes);
    text_release(&all);
    return ok;
}

struct labels *labels_share(struct labels *labels)
{
    if (labels != NULL)
        labels->n_owners++;
    return labels;
}

void labels_free(struct labels *labels)
{
    if (labels != NULL && --labels->n_owners == 0)
        free(labels);
}

size_t labels_count(const struct labels *labels)
{
    return labels != NULL ? labels->n : 0;
}

const char *labels_name(const struct labels *labels, size_t i)
{
    return labels->bytes + name_begin(labels, i);
}

size_t labels_find(const struct labels *labels, const char *name, size_t size)
{
    size_t n = labels_count(labels);
    for (size_t i = 0; i < n; i++)
        if (name_size(labels, i) == size && memcmp(labels_name(labels, i), name, size) == 0)
            return i;
    return n;
}

/* Whether name i stands at another position too. */
static bool is_repeated(const struct labels *labels, size_t i)
{
    for (size_t j = 0; j < labels_count(labels); j++)
        if (j != i && name_size(labels, j) == name_size(labels, i) &&
            memcmp(labels_name(labels, j), labels_name(labels, i), name_size(labels, i)) == 0)
            return true;
    return false;
}

void labels_write(const struct labels *labels, size_t i, struct text *text)
{
    text_put(text, labels_name(labels, i));
    if (is_repeated(labels, i))
        text_format(text, "@%zu", i);
}

/* Whether count positions from start in steps of step all lie below n. */
static bool steps_fit(size_t n, size_t start, size_t count, ptrdiff_t step)
{
    if (count == 0)
        return true;
    if (start >= n)
        return false;
    size_t stride = step < 0 ? (size_t)0 - (size_t)step : (size_t)step;
    size_t room = step < 0 ? start : n - 1 - start; /* positions ahead of start */
    return stride == 0 ? count == 1 : count - 1 <= room / stride;
}

static size_t taken(size_t start, size_t k, ptrdiff_t step)
{
    return start + k * (size_t)step; /* wraps around to the right place for a negative step */
}

bool labels_take(struct labels *labels, size_t start, size_t count, ptrdiff_t step,
                 struct labels **ret, struct error *reterr)
{
    size_t n = labels_count(labels);
    if (labels != NULL && !steps_fit(n, start, count, step))
        return error_set(reterr, ERR_RANGE,
                         "labels: %zu from %zu in steps of %td leave an axis of %zu", count, start,
                         step, n);
    bool whole = start == 0 && count == n && (step == 1 || n <= 1);
    if (labels == NULL || whole) {
        *ret = labels_share(labels);
        return true;
    }
    size_t n_bytes = 0; /* can't overflow: the positions differ, so it is at most what there is */
    for (size_t k = 0; k < count; k++)
        n_bytes += name_size(labels, taken(start, k, step));
    struct labels *made = allocate(count, n_bytes);
    if (made == NULL)
        return error_memory(reterr, "labels");
    for (size_t k = 0; k < count; k++) {
        size_t i = taken(start, k, step);
        fill(made, k, labels_name(labels, i), name_size(labels, i));
    }
    *ret = made;
    return true;
}
