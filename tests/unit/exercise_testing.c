/* See exercise_testing.h. */
#include "exercise_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char mini_yaml[] =
    /*  1 */ "id: mini\n"
             /*  2 */ "number: 7\n"
             /*  3 */ "title: A small one\n"
             /*  4 */ "minutes: 5\n"
             /*  5 */ "prototype: void mini(size_t n_q, size_t n_k, size_t d_k, const float "
             "*query, const float "
             "*key, const bool *may, float *weights);\n"
             /*  6 */ "arrays:\n"
             /*  7 */ "  - {name: weights, shape: [n_q, n_k], role: out}\n"
             /*  8 */ "  - {name: query, shape: [n_q, d_k]}\n"
             /*  9 */ "  - {name: key, shape: [n_k, d_k]}\n"
             /* 10 */ "  - {name: may, shape: [n_q, n_k], optional: true}\n"
             /* 11 */ "draw:\n"
             /* 12 */ "  - query = randn(n_q, d_k)\n"
             /* 13 */ "  - key = randn(n_k, d_k)\n"
             /* 14 */ "  - may = ones(n_q, n_k) > 0\n"
             /* 15 */ "stages:\n"
             /* 16 */ "  - scores = query @ key.T\n"
             /* 17 */ "  - scaled = scores / sqrt(d_k)\n"
             /* 18 */ "  - weights = softmax(scaled, dim=-1)\n"
             /* 19 */ "expect:\n"
             /* 20 */ "  - {array: weights, is: weights, scale: weights + 1}\n"
             /* 21 */ "tolerance:\n"
             /* 22 */ "  relative: 1e-5\n"
             /* 23 */ "  absolute: 1e-12\n"
             /* 24 */ "  reason: Because.\n"
             /* 25 */ "cases:\n"
             /* 26 */ "  - name: by hand\n"
             /* 27 */ "    sizes: {n_q: 2, n_k: 3, d_k: 4}\n"
             /* 28 */ "    draw:\n"
             /* 29 */ "      - query = [[1, 0, 0, 2], [0, 3, 0, 0]]\n"
             /* 30 */ "  - name: random\n"
             /* 31 */ "    repeat: 3\n"
             /* 32 */ "    sizes: {d_k: n_q + half, n_q: 2..9, half: 2, n_k: 3..5}\n"
             /* 33 */ "    memory_kib: 2 * n_k\n"
             /* 34 */ "probes:\n"
             /* 35 */ "  - stage: scaled\n"
             /* 36 */ "    name: one key\n"
             /* 37 */ "    sizes: {n_q: 1, n_k: 1, d_k: 2}\n"
             /* 38 */ "hints:\n"
             /* 39 */ "  - The first.\n"
             /* 40 */ "  - The second.\n"
             /* 41 */ "misconceptions:\n"
             /* 42 */ "  - id: no-scale\n"
             /* 43 */ "    stages:\n"
             /* 44 */ "      - scaled = scores\n"
             /* 45 */ "    ask: What divides the scores?\n"
             /* 46 */ "    stage: scaled\n"
             /* 47 */ "    math: scaled = scores / sqrt(d_k)\n"
             /* 48 */ "    lesson: scaling#variance\n"
             /* 49 */ "  - id: columns\n"
             /* 50 */ "    stages:\n"
             /* 51 */ "      - weights = softmax(scaled, dim=0)\n"
             /* 52 */ "    ask: What adds up to 1?\n"
             /* 53 */ "    stage: weights\n"
             /* 54 */ "    math: a sum over the keys\n"
             /* 55 */ "    lesson: softmax#axis\n"
             /* 56 */ "  - id: hoards\n"
             /* 57 */ "    verdict: memory_limit\n"
             /* 58 */ "    ask: How much is needed at once?\n"
             /* 59 */ "    stage: memory\n"
             /* 60 */ "    math: one row\n"
             /* 61 */ "    lesson: online#memory\n"
             /* 62 */ "forbid:\n"
             /* 63 */ "  - {word: malloc, say: No memory is needed.}\n"
             /* 64 */ "require:\n"
             /* 65 */ "  - {word: for, say: There is a loop in it.}\n";

char *testing_replace(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    if (at == NULL || strstr(at + 1, old) != NULL)
        fail_msg("'%s' is not there exactly once", old);
    size_t before = (size_t)(at - text), size = strlen(text) - strlen(old) + strlen(new) + 1;
    char *replaced = malloc(size);
    assert_non_null(replaced);
    snprintf(replaced, size, "%.*s%s%s", (int)before, text, new, at + strlen(old));
    return replaced;
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        fail_msg("%s can't be written", path);
}

static void remove_file(const char *folder, const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

bool exercise_try(const char *folder_name, const char *yaml, struct exercise **ret,
                  struct error *reterr)
{
    char top[] = "/tmp/attn-exercise-XXXXXX", folder[200];
    assert_non_null(mkdtemp(top));
    snprintf(folder, sizeof folder, "%s/%s", top, folder_name);
    assert_int_equal(mkdir(folder, 0700), 0);
    write_file(folder, "exercise.yaml", yaml);
    write_file(folder, "task.md", "Do it.\n");
    write_file(folder, "mini.c", "/* TODO */\n");
    write_file(folder, "plain.c", "/* plain */\n");
    bool ok = exercise_load(folder, ret, reterr);
    remove_file(folder, "exercise.yaml");
    remove_file(folder, "task.md");
    remove_file(folder, "mini.c");
    remove_file(folder, "plain.c");
    rmdir(folder);
    rmdir(top);
    return ok;
}

static bool try_mini(const char *const *changes, struct exercise **ret, struct error *reterr)
{
    char *yaml = testing_replace(mini_yaml, "id: mini\n", "id: mini\n");
    for (size_t i = 0; changes != NULL && changes[i] != NULL; i += 2) {
        char *changed = testing_replace(yaml, changes[i], changes[i + 1]);
        free(yaml);
        yaml = changed;
    }
    bool ok = exercise_try("07-mini", yaml, ret, reterr);
    free(yaml);
    return ok;
}

struct exercise *mini_with(const char *const *changes)
{
    struct exercise *exercise;
    struct error error;
    if (!try_mini(changes, &exercise, &error))
        fail_msg("%s", error.text);
    return exercise;
}

void mini_fails(const char *const *changes, struct error *reterr)
{
    struct exercise *exercise;
    assert_error(try_mini(changes, &exercise, reterr), *reterr, ERR_SYNTAX);
}
