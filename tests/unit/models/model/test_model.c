/* model/model.h: a model that is closed leaves nothing behind, neither memory nor a mapped file. */
#include "lang_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "files/weights.h"
#include "graph/graph.h"
#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "tensor/tensor.h"

enum { TIMES = 100, WARM = 5 };
/* What may stay, all times together: less than a byte for each. A model that stays has thousands.
 */
enum { SPREAD = 64 };

/* F32 that is seen where it lies; bfloat16 in shards, which is converted. */
static const char *const folders[] = {"gpt2/tiny_a", "llama/llama_tiny_a/sharded_bf16"};
enum { N_FOLDERS = sizeof folders / sizeof *folders };

static const char *golden(const char *folder)
{
    static char path[4096];
    const char *root = getenv("ATTN_TEST_GOLDEN");
    snprintf(path, sizeof path, "%s/%s", root != NULL ? root : "tests/golden", folder);
    return path;
}

/* Bytes that are allocated; 0 where the C library can't tell. */
static size_t bytes_in_use(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

/* How many files of weights are mapped; 0 where the system can't tell. */
static size_t n_mapped(void)
{
    char line[4096];
    size_t n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        n += strstr(line, ".safetensors") != NULL;
    if (maps != NULL)
        fclose(maps);
    return n;
}

/* How many files are open; 0 where the system can't tell. */
static size_t n_open(void)
{
    size_t n = 0;
    char link[16], path[40];
    for (int fd = 0; fd < 256; fd++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        n += readlink(path, link, sizeof link) > 0;
    }
    return n;
}

/* Opens a model and runs it, so that all its weights are read. */
static void use(const char *folder)
{
    struct graph graph = {.last_id = 0};
    struct error error;
    struct model *model = model_open(folder, &error);
    assert_non_null(model);
    struct tensor ids = testing_tensor(1, (size_t[]){3}, (float[]){1, 5, 2});
    struct node *node = node_input(&graph, &ids, "ids", 3, &error);
    struct run *run = run_ids(&graph, model, node, &error);
    assert_non_null(run);
    assert_non_null(run_logits(run, &error));
    run_free(run);
    node_free(node);
    model_free(model);
}

static void test_model__opened_and_closed_a_hundred_times(void **state)
{
    (void)state;
    size_t before = 0, files = 0;
    for (size_t i = 0; i < WARM + TIMES; i++) {
        if (i == WARM) {
            before = bytes_in_use();
            files = n_open();
        }
        for (size_t f = 0; f < N_FOLDERS; f++)
            use(golden(folders[f]));
    }
    assert_in_range(bytes_in_use(), 0, before + SPREAD);
    assert_int_equal(n_open(), files);
    assert_int_equal(n_mapped(), 0);
}

/* The same by a name of the language that gets another model each time: what the old one and its
 * run had is free again. */
static void test_model__assigned_a_hundred_times(void **state)
{
    (void)state;
    struct lang lang;
    char line[8192];
    size_t before = 0, files = 0, mapped = 0;
    lang_open(&lang);
    int size = snprintf(line, sizeof line, "m = model(\"%s\")", golden(folders[0]));
    snprintf(line + size, sizeof line - (size_t)size,
             "; n = model(\"%s\"); r = m([1, 5, 2]); s = n([1, 5, 2]); x = r.logits + 0; "
             "y = s.logits + 0",
             golden(folders[1]));
    for (size_t i = 0; i < WARM + TIMES; i++) {
        if (i == WARM) {
            before = bytes_in_use();
            files = n_open();
            mapped = n_mapped();
        }
        lang_run(&lang, line);
    }
    /* A session keeps the lines that were typed, in room that doubles. */
    size_t history = 2 * (WARM + TIMES) * strlen(line);
    assert_in_range(bytes_in_use(), 0, before + history + SPREAD);
    assert_int_equal(n_open(), files);
    assert_int_equal(n_mapped(), mapped);
    lang_close(&lang);
    assert_int_equal(n_mapped(), 0);
}

/* Starts the program anew without glibc's lists of freed blocks for each thread, which it counts as
 * allocated, and which grow as chance will have it. */
static void without_lists_of_freed_blocks(char **argv)
{
    if (getenv("GLIBC_TUNABLES") == NULL &&
        setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1) == 0)
        (void)execv("/proc/self/exe", argv); /* not there: the numbers are as they are */
}

int main(int argc, char **argv)
{
    (void)argc;
    without_lists_of_freed_blocks(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model__opened_and_closed_a_hundred_times),
        cmocka_unit_test(test_model__assigned_a_hundred_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
