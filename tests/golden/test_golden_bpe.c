/* GPT-2's tokens of stored texts: bpe/gpt2_bpe.jsonl. */
#include "files_testing.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/tokenizer.h"
#include "vocabulary_testing.h"

static struct tokenizer *open_tokenizer(const char *name)
{
    char path[TESTING_PATH];
    struct tokenizer *tokenizer;
    struct error error;
    if (!tokenizer_open(testing_path(path, name), &tokenizer, &error))
        fail_msg("%s", error.text);
    return tokenizer;
}

static int setup(void **state)
{
    int status = testing_make_folder(state);
    if (status == 0)
        testing_write_gpt2("gpt2");
    return status;
}

/* The tokens are those of the file, they cover the text, and give it back. */
static void check_line(const struct tokenizer *tokenizer, const json_t *line)
{
    struct tokens tokens = {0};
    struct text decoded = {0};
    struct error error;
    const json_t *ids = json_object_get(line, "ids");
    const char *hex = json_string_value(json_object_get(line, "utf8_hex"));
    char text[4096];
    size_t size = strlen(hex) / 2, at = 0;
    uint32_t got[4096];
    for (size_t i = 0; i < size; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        text[i] = (char)byte;
    }
    if (!tokenizer_encode(tokenizer, text, size, &tokens, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < tokens.n; i++) {
        got[i] = tokens.items[i].id;
        if ((json_int_t)got[i] != json_integer_value(json_array_get(ids, i)))
            fail_msg("%.*s: token %zu is %u", (int)size, text, i, (unsigned)got[i]);
        assert_int_equal(tokens.items[i].begin, at);
        at = tokens.items[i].end;
    }
    assert_int_equal(tokens.n, json_array_size(ids));
    assert_int_equal(at, size);
    assert_true(tokenizer_decode(tokenizer, got, tokens.n, &decoded, &error));
    assert_int_equal(decoded.size, size);
    assert_memory_equal(text_string(&decoded), text, size);
    text_release(&decoded);
    tokens_release(&tokens);
}

static void check_all(const struct tokenizer *tokenizer)
{
    char path[TESTING_PATH];
    const char *folder = getenv("ATTN_TEST_GOLDEN");
    snprintf(path, sizeof path, "%s/bpe/gpt2_bpe.jsonl", folder != NULL ? folder : "tests/golden");
    char *lines = testing_read(path, NULL);
    size_t n = 0;
    for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n"), n++) {
        json_error_t error;
        json_t *root = json_loads(line, JSON_ALLOW_NUL, &error);
        if (root == NULL)
            fail_msg("line %zu: %s", n + 1, error.text);
        check_line(tokenizer, root);
        json_decref(root);
    }
    test_free(lines);
    assert_int_equal(n, 137);
}

static void test_golden_bpe__vocab_and_merges(void **state)
{
    (void)state;
    struct tokenizer *tokenizer = open_tokenizer("gpt2");
    assert_int_equal(tokenizer_size(tokenizer), 50257);
    check_all(tokenizer);
    tokenizer_close(tokenizer);
}

/* The same vocabulary as one file. Without added tokens <|endoftext|> is plain text here too. */
static void test_golden_bpe__tokenizer_json(void **state)
{
    (void)state;
    testing_write_gpt2_json("json",
                            "\"version\":\"1.0\",\"truncation\":null,\"normalizer\":null,"
                            "\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false,"
                            "\"trim_offsets\":true},",
                            "\"dropout\":null,\"unk_token\":null,\"fuse_unk\":false,"
                            "\"continuing_subword_prefix\":\"\",\"end_of_word_suffix\":\"\",");
    struct tokenizer *tokenizer = open_tokenizer("json");
    check_all(tokenizer);
    tokenizer_close(tokenizer);
}

/* Bytes of a text that is anything: letters, blanks, pieces of letters, added tokens. */
static size_t random_text(uint64_t *seed, char *text, size_t capacity)
{
    static const char *const parts[] = {
        " ",    "  ",       "\n",   "the", "'ll", "\xC3\xA9",      "e\xCC\x81", "\xE4",
        "\xF0", "\x9F\x98", "\xFF", "12",  "...", "<|endoftext|>", "<|endo"};
    size_t size = 0, n = testing_between(seed, 0, 40);
    for (size_t i = 0; i < n && size + 20 < capacity; i++) {
        const char *part = parts[testing_between(seed, 0, sizeof parts / sizeof *parts - 1)];
        if (testing_between(seed, 0, 1) == 0) {
            text[size++] = (char)testing_between(seed, 0, 255);
        } else {
            memcpy(text + size, part, strlen(part));
            size += strlen(part);
        }
    }
    return size;
}

/* The tokens of any bytes cover them, one after the other, and give them back. */
static void check_round_trip(const struct tokenizer *tokenizer, const char *text, size_t size)
{
    struct tokens tokens = {0};
    struct text decoded = {0};
    size_t at = 0;
    assert_true(tokenizer_encode(tokenizer, text, size, &tokens, NULL));
    for (size_t i = 0; i < tokens.n; i++) {
        assert_int_equal(tokens.items[i].begin, at);
        at = tokens.items[i].end;
        assert_true(tokenizer_decode(tokenizer, &tokens.items[i].id, 1, &decoded, NULL));
        assert_int_equal(decoded.size, at);
    }
    assert_int_equal(at, size);
    assert_memory_equal(text_string(&decoded), text, size);
    text_release(&decoded);
    tokens_release(&tokens);
}

static void test_golden_bpe__any_bytes_come_back(void **state)
{
    (void)state;
    uint64_t seed = 9;
    testing_write_gpt2_json(
        "added",
        "\"added_tokens\":[{\"id\":50256,\"content\":\"<|endoftext|>\",\"normalized\":true}],"
        "\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Digits\","
        "\"individual_digits\":true},{\"type\":\"ByteLevel\",\"add_prefix_space\":false}]},",
        "");
    struct tokenizer *plain = open_tokenizer("gpt2"), *added = open_tokenizer("added");
    for (unsigned trial = 0; trial < 20000; trial++) {
        char text[1000];
        size_t size = random_text(&seed, text, sizeof text);
        check_round_trip(plain, text, size);
        check_round_trip(added, text, size);
    }
    tokenizer_close(plain);
    tokenizer_close(added);
}

/* One word of a million letters takes no longer for each of them. */
static void test_golden_bpe__a_word_of_a_million_letters(void **state)
{
    (void)state;
    enum { N = 1000000 };
    uint64_t seed = 4;
    struct tokenizer *tokenizer = open_tokenizer("gpt2");
    char *text = test_malloc(N);
    for (size_t i = 0; i < N; i++)
        text[i] = "etaoinshrdlu"[testing_between(&seed, 0, 11)];
    check_round_trip(tokenizer, text, N);
    memset(text, 'a', N);
    check_round_trip(tokenizer, text, N);
    memset(text, ' ', N);
    check_round_trip(tokenizer, text, N);
    test_free(text);
    tokenizer_close(tokenizer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_bpe__vocab_and_merges),
        cmocka_unit_test(test_golden_bpe__tokenizer_json),
        cmocka_unit_test(test_golden_bpe__any_bytes_come_back),
        cmocka_unit_test(test_golden_bpe__a_word_of_a_million_letters),
    };
    return cmocka_run_group_tests_name("golden_bpe", tests, setup, testing_remove_folder);
}
