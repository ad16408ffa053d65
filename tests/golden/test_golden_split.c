/* Pieces of stored texts: bpe/splits.jsonl, by another engine of regular expressions. */
#include "files_testing.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/split_internal.h"

#define REST "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define LETTERS "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|"

/* The steps of each model, in the words of its tokenizer.json. */
static const struct {
    const char *model, *steps[2];
} models[] = {
    {"gpt2", {SPLIT_GPT2}},
    {"smollm", {SPLIT_DIGIT, SPLIT_GPT2}},
    {"llama3", {LETTERS "\\p{N}{1,3}" REST}},
    {"qwen2", {LETTERS "\\p{N}" REST}},
};

/* Where the next piece must begin, and the sizes that are still to come. */
struct expected {
    const json_t *sizes;
    size_t n, begin;
    const char *text;
};

static bool check_piece(void *context, const char *bytes, size_t size, size_t begin,
                        struct error *reterr)
{
    struct expected *expected = context;
    (void)reterr;
    assert_int_equal(begin, expected->begin);
    assert_ptr_equal(bytes, expected->text + begin);
    json_int_t want = json_integer_value(json_array_get(expected->sizes, expected->n));
    if ((json_int_t)size != want)
        fail_msg("'%s': piece %zu has %zu bytes and not %d", expected->text, expected->n, size,
                 (int)want);
    expected->begin += size;
    expected->n++;
    return true;
}

static void check_line(const struct split splits[COUNT_OF(models)], const json_t *line)
{
    const char *hex = json_string_value(json_object_get(line, "utf8_hex"));
    char text[1024] = "";
    size_t size = strlen(hex) / 2;
    for (size_t i = 0; i < size; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        text[i] = (char)byte;
    }
    for (size_t m = 0; m < COUNT_OF(models); m++) {
        struct expected expected = {.sizes = json_object_get(line, models[m].model), .text = text};
        assert_true(split_run(&splits[m], text, size, 0, check_piece, &expected, NULL));
        assert_int_equal(expected.n, json_array_size(expected.sizes));
    }
}

static void test_golden_split__four_models(void **state)
{
    (void)state;
    struct split splits[COUNT_OF(models)] = {0};
    struct error error;
    char path[TESTING_PATH];
    const char *folder = getenv("ATTN_TEST_GOLDEN");
    snprintf(path, sizeof path, "%s/bpe/splits.jsonl", folder != NULL ? folder : "tests/golden");
    for (size_t m = 0; m < COUNT_OF(models); m++)
        for (size_t step = 0; step < 2 && models[m].steps[step] != NULL; step++)
            if (!split_add(&splits[m], models[m].steps[step], &error))
                fail_msg("%s", error.text);
    char *lines = testing_read(path, NULL);
    size_t n = 0;
    for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n"), n++) {
        json_t *root = json_loads(line, 0, NULL);
        assert_non_null(root);
        check_line(splits, root);
        json_decref(root);
    }
    assert_int_equal(n, 320);
    test_free(lines);
    for (size_t m = 0; m < COUNT_OF(models); m++)
        split_release(&splits[m]);
}

/* Bytes that are no UTF-8 are pieces by themselves, and what is beside them sees no more of the
 * text. */
static void test_golden_split__other_bytes(void **state)
{
    (void)state;
    struct split split = {0};
    json_t *sizes = json_pack("[i,i,i,i,i]", 2, 2, 2, 2, 1);
    struct expected expected = {.sizes = sizes,
                                .text = "ab\xFF\xC3 c\xE2\x82"
                                        "d"};
    assert_true(split_add(&split, SPLIT_GPT2, NULL));
    assert_true(split_run(&split, expected.text, 9, 0, check_piece, &expected, NULL));
    assert_int_equal(expected.n, 5);
    json_decref(sizes);
    split_release(&split);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_split__four_models),
        cmocka_unit_test(test_golden_split__other_bytes),
    };
    return cmocka_run_group_tests_name("golden_split", tests, NULL, NULL);
}
