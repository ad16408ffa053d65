/* See golden.h. */
#include "golden.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/npy.h"

void golden_succeed(const struct golden *golden, bool ok, const struct error *error)
{
    if (!ok)
        fail_msg("%s: %s", golden->name, error->text);
}

struct tensor *golden_own(struct golden *golden)
{
    assert_true(golden->n_owned < GOLDEN_OWNED);
    return &golden->owned[golden->n_owned++];
}

bool golden_starts_with(const struct golden *golden, const char *prefix)
{
    return strncmp(golden->name, prefix, strlen(prefix)) == 0;
}

/* What a case about a model holds beside its arrays. */
static bool is_model_file(const char *name)
{
    return strcmp(name, "config.json") == 0 || strcmp(name, "model.safetensors") == 0;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Reading a case. */

static void join_path(char path[GOLDEN_PATH], const char *folder, const char *name)
{
    if (snprintf(path, GOLDEN_PATH, "%s/%s", folder, name) >= GOLDEN_PATH)
        fail_msg("%s/%s: the path is too long", folder, name);
}

static void read_attrs(struct golden *golden, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s: can't be opened", path);
    struct golden_attr attr = {.used = false};
    while (fscanf(file, "%63s %63s", attr.name, attr.text) == 2) {
        assert_true(golden->n_attrs < GOLDEN_ATTRS);
        golden->attrs[golden->n_attrs++] = attr;
    }
    fclose(file);
}

static void read_array(struct golden *golden, const char *path, const char *name, size_t length)
{
    struct error error;
    assert_true(golden->n_files < GOLDEN_FILES && length < sizeof golden->files->name);
    struct golden_file *file = &golden->files[golden->n_files++];
    memcpy(file->name, name, length);
    golden_succeed(golden, npy_load(path, &file->tensor, &error), &error);
}

static void golden_read(struct golden *golden, const char *family, const char *name)
{
    *golden = (struct golden){.name = name};
    join_path(golden->folder, family, name);
    DIR *dir = opendir(golden->folder);
    if (dir == NULL)
        fail_msg("%s: can't be opened", golden->folder);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[GOLDEN_PATH];
        join_path(path, golden->folder, entry->d_name);
        const char *dot = strrchr(entry->d_name, '.');
        if (strcmp(entry->d_name, "attrs.txt") == 0)
            read_attrs(golden, path);
        else if (dot != NULL && strcmp(dot, ".npy") == 0)
            read_array(golden, path, entry->d_name, (size_t)(dot - entry->d_name));
        else if (entry->d_name[0] != '.' && !is_model_file(entry->d_name) && !is_folder(path))
            fail_msg("%s: what is this file for?", path);
    }
    closedir(dir);
}

static void golden_release(struct golden *golden)
{
    for (size_t i = 0; i < golden->n_files; i++)
        tensor_release(&golden->files[i].tensor);
    for (size_t i = 0; i < golden->n_owned; i++)
        tensor_release(&golden->owned[i]);
}

struct tensor *golden_array(struct golden *golden, const char *name)
{
    for (size_t i = 0; i < golden->n_files; i++)
        if (strcmp(golden->files[i].name, name) == 0) {
            golden->files[i].used = true;
            return &golden->files[i].tensor;
        }
    return NULL;
}

struct tensor *golden_needed_array(struct golden *golden, const char *name)
{
    struct tensor *found = golden_array(golden, name);
    if (found == NULL)
        fail_msg("%s: there is no %s.npy", golden->name, name);
    return found;
}

const char *golden_attr_text(struct golden *golden, const char *name, const char *otherwise)
{
    for (size_t i = 0; i < golden->n_attrs; i++)
        if (strcmp(golden->attrs[i].name, name) == 0) {
            golden->attrs[i].used = true;
            return golden->attrs[i].text;
        }
    return otherwise;
}

double golden_attr_number(struct golden *golden, const char *name, double otherwise)
{
    const char *text = golden_attr_text(golden, name, NULL);
    return text != NULL ? strtod(text, NULL) : otherwise;
}

size_t golden_attr_count(struct golden *golden, const char *name, size_t otherwise)
{
    return (size_t)golden_attr_number(golden, name, (double)otherwise);
}

/* Marks what only documents where the numbers come from, or how others round them. */
static void use_documentation(struct golden *golden)
{
    golden_array(golden, "Y_f32");
    golden_array(golden, "Y_f64");
    golden_array(golden, "Y_erf_f32");
    golden_array(golden, "Y_tanh_f32");
    golden_array(golden, "Y_fastpath");
    golden_attr_text(golden, "reference", NULL);
    golden_attr_text(golden, "f32_from", NULL);
}

static void check_all_used(struct golden *golden)
{
    use_documentation(golden);
    for (size_t i = 0; i < golden->n_files; i++)
        if (!golden->files[i].used)
            fail_msg("%s: %s.npy is not handled", golden->name, golden->files[i].name);
    for (size_t i = 0; i < golden->n_attrs; i++)
        if (!golden->attrs[i].used)
            fail_msg("%s: the attribute %s is not handled", golden->name, golden->attrs[i].name);
}

/* Comparing. */

static double largest_finite(const struct tensor *x)
{
    double top = 0;
    size_t size = tensor_size(x);
    for (size_t at = 0; at < size; at++) {
        double number = fabs((double)tensor_at_position(x, at));
        if (isfinite(number) && number > top)
            top = number;
    }
    return top;
}

/* NaN is close to NaN, an infinity to itself. */
static bool is_close(double got, double want, double tolerance)
{
    if (isnan(want))
        return isnan(got) != 0;
    return got == want || fabs(got - want) <= tolerance;
}

void golden_compare(struct golden *golden, const char *what, const struct tensor *got,
                    const struct tensor *want, double relative, double absolute)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    if (!tensor_same_shape(got, want)) {
        print_error("%s: %s is %s, the reference %s\n", golden->name, what,
                    tensor_shape_text(got, left), tensor_shape_text(want, right));
        golden->n_wrong++;
        return;
    }
    double tolerance = relative * largest_finite(want) + absolute;
    size_t size = tensor_size(want);
    for (size_t at = 0; at < size; at++) {
        double got_number = (double)tensor_at_position(got, at);
        double want_number = (double)tensor_at_position(want, at);
        if (is_close(got_number, want_number, tolerance))
            continue;
        print_error("%s: number %zu of %s is %.9g, not within %g of %.9g\n", golden->name, at, what,
                    got_number, tolerance, want_number);
        golden->n_wrong++;
        return;
    }
}

void golden_compare_gradient(struct golden *golden, const char *name, const struct tensor *got)
{
    golden_compare(golden, name, got, golden_needed_array(golden, name), GRADIENT_TOLERANCE,
                   GRADIENT_TOLERANCE);
}

const struct tensor *golden_without_nan_rows(struct golden *golden, const struct tensor *x,
                                             const struct tensor *instead)
{
    struct error error;
    struct tensor *copy = golden_own(golden);
    golden_succeed(golden, tensor_copy(x, copy, &error), &error);
    size_t width = x->shape[x->n_axes - 1], size = tensor_size(x), n_replaced = 0;
    for (size_t row = 0; row < size; row += width) {
        size_t n_nan = 0;
        for (size_t d = 0; d < width; d++)
            n_nan += isnan(copy->data[row + d]) != 0;
        if (n_nan < width)
            continue;
        n_replaced++;
        for (size_t d = 0; d < width; d++)
            copy->data[row + d] = instead != NULL ? tensor_at_position(instead, d) : 0;
    }
    if (n_replaced == 0)
        fail_msg("%s: no row is NaN, although the case is about one", golden->name);
    return copy;
}

/* Poisoned cases. */

bool golden_is_poisoned(const struct golden *golden)
{
    static const char *const prefixes[] = {"nan_k_masked", "nan_k_causal", "nan_v_masked",
                                           "nan_v_causal", "inf_v_causal"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (golden_starts_with(golden, prefixes[i]))
            return true;
    return false;
}

static bool row_is_finite(const struct tensor *x, size_t row)
{
    size_t width = x->shape[x->n_axes - 1];
    for (size_t d = 0; d < width; d++)
        if (!isfinite(tensor_at_position(x, row * width + d)))
            return false;
    return true;
}

/* Whether query i of head h may attend to a key whose key or value is not finite. The masks of
 * these cases are (n_q, n_k) and boolean. */
static bool sees_poison(struct golden *golden, size_t h, size_t i)
{
    const struct tensor *key = golden_needed_array(golden, "K");
    const struct tensor *value = golden_needed_array(golden, "V");
    const struct tensor *mask = golden_array(golden, "attn_mask");
    bool causal = golden_attr_count(golden, "is_causal", 0) == 1;
    size_t n_k = key->shape[key->n_axes - 2];
    for (size_t j = 0; j < n_k; j++) {
        bool hidden =
            (causal && j > i) || (mask != NULL && tensor_at_position(mask, i * n_k + j) == 0);
        size_t row = h * n_k + j;
        if (!hidden && !(row_is_finite(key, row) && row_is_finite(value, row)))
            return true;
    }
    return false;
}

void golden_compare_poisoned(struct golden *golden, const char *what, const struct tensor *got,
                             const struct tensor *clean)
{
    const struct tensor *reference = golden_needed_array(golden, what);
    const struct tensor *query = golden_needed_array(golden, "Q");
    double tolerance = SDPA_TOLERANCE * largest_finite(reference);
    size_t n_q = query->shape[query->n_axes - 2], width = got->shape[got->n_axes - 1];
    size_t size = tensor_size(got), n_differ = 0;
    assert_true(tensor_same_shape(got, reference) && tensor_same_shape(got, clean));
    for (size_t at = 0; at < size; at++) {
        size_t row = at / width;
        double got_number = (double)tensor_at_position(got, at);
        double clean_number = (double)tensor_at_position(clean, at);
        double reference_number = (double)tensor_at_position(reference, at);
        bool agrees = is_close(got_number, reference_number, tolerance);
        bool ok = sees_poison(golden, row / n_q, row % n_q)
                      ? agrees
                      : got_number == clean_number && (agrees || !isfinite(reference_number));
        n_differ += !agrees;
        if (ok)
            continue;
        print_error("%s: number %zu of %s is %.9g; clean %.9g, torch %.9g\n", golden->name, at,
                    what, got_number, clean_number, reference_number);
        golden->n_wrong++;
        return;
    }
    if (n_differ == 0 && strcmp(what, "Y") == 0)
        fail_msg("%s: nothing differs from torch, although the case is about that", golden->name);
}

/* All cases. */

static void root_path(char path[GOLDEN_PATH], const char *family)
{
    const char *root = getenv("ATTN_TEST_GOLDEN");
    join_path(path, root != NULL ? root : "tests/golden", family);
}

static DIR *open_family(const char *folder)
{
    DIR *dir = opendir(folder);
    if (dir == NULL)
        fail_msg("%s: can't be opened; set ATTN_TEST_GOLDEN to the golden data", folder);
    return dir;
}

/* A folder with attributes, even if there are none; other files and folders serve the cases. */
static bool is_case(const char *folder, const char *name)
{
    char path[GOLDEN_PATH + 300];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s/attrs.txt", folder, name);
    return stat(path, &about) == 0;
}

void golden_run_family(const char *family, void (*run)(struct golden *golden), size_t at_least)
{
    static struct golden golden; /* too large for some stacks */
    char folder[GOLDEN_PATH];
    root_path(folder, family);
    DIR *dir = open_family(folder);
    size_t n_cases = 0, n_wrong = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.' || !is_case(folder, entry->d_name))
            continue;
        golden_read(&golden, folder, entry->d_name);
        run(&golden);
        check_all_used(&golden);
        n_cases++;
        n_wrong += golden.n_wrong > 0;
        golden_release(&golden);
    }
    closedir(dir);
    print_message("%s: %zu cases run, %zu wrong\n", family, n_cases, n_wrong);
    assert_int_equal(n_wrong, 0);
    assert_true(n_cases >= at_least);
}

void golden_check_families(const char *const *known, size_t n)
{
    char folder[GOLDEN_PATH];
    root_path(folder, "torch");
    DIR *dir = open_family(folder);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        bool found = entry->d_name[0] == '.';
        for (size_t i = 0; i < n; i++)
            found = found || strcmp(entry->d_name, known[i]) == 0;
        if (!found)
            fail_msg("torch/%s: nobody tests it", entry->d_name);
    }
    closedir(dir);
}
