/* files/tokenizer.h, tokenizer_train() and tokenizer_save(): merges learnt from a text. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/tokenizer.h"
#include "files_testing.h"

/* ---- the same by counting anew before each merge (Sennrich et al. 2016, algorithm 1) ---- */

enum { MOST_IDS = 300, MOST_WORDS = 400, MOST_SYMBOLS = 40, LONGEST = 64 };

struct plain {
    char tokens[MOST_IDS][LONGEST]; /* texts without zero bytes */
    size_t n_tokens;
    unsigned words[MOST_WORDS][MOST_SYMBOLS];
    size_t sizes[MOST_WORDS], n_words;
    unsigned counts[MOST_IDS][MOST_IDS];
};

static unsigned plain_id(struct plain *plain, const char *token)
{
    unsigned id = 0;
    while (id < plain->n_tokens && strcmp(plain->tokens[id], token) != 0)
        id++;
    if (id == plain->n_tokens) {
        assert_true(id < MOST_IDS && strlen(token) < LONGEST);
        strcpy(plain->tokens[plain->n_tokens++], token);
    }
    return id;
}

/* Words of letters, each with the blank before it, as GPT-2 cuts them. */
static void plain_begin(struct plain *plain, const char *text)
{
    memset(plain, 0, sizeof *plain);
    for (char c = '!'; c <= '~'; c++)
        if (strchr(text, c) != NULL)
            plain_id(plain, (char[]){c, '\0'});
    plain_id(plain, " ");
    for (const char *at = text; *at != '\0';) {
        size_t size = 1 + strcspn(at + 1, " ");
        assert_true(plain->n_words < MOST_WORDS && size <= MOST_SYMBOLS);
        for (size_t i = 0; i < size; i++)
            plain->words[plain->n_words][i] = plain_id(plain, (char[]){at[i], '\0'});
        plain->sizes[plain->n_words++] = size;
        at += size;
    }
}

static bool plain_commonest(struct plain *plain, unsigned *left, unsigned *right)
{
    unsigned most = 1;
    memset(plain->counts, 0, sizeof plain->counts);
    for (size_t w = 0; w < plain->n_words; w++)
        for (size_t i = 0; i + 1 < plain->sizes[w]; i++)
            plain->counts[plain->words[w][i]][plain->words[w][i + 1]]++;
    for (unsigned a = 0; a < plain->n_tokens; a++)
        for (unsigned b = 0; b < plain->n_tokens; b++)
            if (plain->counts[a][b] > most) {
                most = plain->counts[a][b];
                *left = a;
                *right = b;
            }
    return most > 1;
}

static void plain_merge(struct plain *plain, unsigned left, unsigned right)
{
    char token[2 * LONGEST];
    snprintf(token, sizeof token, "%s%s", plain->tokens[left], plain->tokens[right]);
    unsigned id = plain_id(plain, token);
    for (size_t w = 0; w < plain->n_words; w++) {
        unsigned *word = plain->words[w];
        size_t n = 0;
        for (size_t i = 0; i < plain->sizes[w]; i++)
            if (i + 1 < plain->sizes[w] && word[i] == left && word[i + 1] == right) {
                word[n++] = id;
                i++;
            } else {
                word[n++] = word[i];
            }
        plain->sizes[w] = n;
    }
}

/* ---- against it ---- */

static struct tokenizer *train(const char *text, size_t n_merges)
{
    struct tokenizer *tokenizer;
    struct error error;
    const struct tokenizer_plan plan = {.n_merges = n_merges, .only_used_bytes = true};
    if (!tokenizer_train(&plan, text, strlen(text), &tokenizer, &error))
        fail_msg("%s", error.text);
    return tokenizer;
}

static void check_tokens(const struct plain *plain, const struct tokenizer *tokenizer,
                         const char *text)
{
    assert_int_equal(tokenizer_size(tokenizer), plain->n_tokens);
    for (uint32_t id = 0; id < plain->n_tokens; id++) {
        size_t size;
        const char *bytes = tokenizer_token(tokenizer, id, &size);
        if (size != strlen(plain->tokens[id]) || memcmp(bytes, plain->tokens[id], size) != 0)
            fail_msg("token %u is '%.*s' and not '%s'", (unsigned)id, (int)size, bytes,
                     plain->tokens[id]);
    }
    /* Its text becomes the tokens that its words ended as. */
    struct tokens tokens = {0};
    assert_true(tokenizer_encode(tokenizer, text, strlen(text), &tokens, NULL));
    size_t at = 0;
    for (size_t w = 0; w < plain->n_words; w++)
        for (size_t i = 0; i < plain->sizes[w]; i++, at++)
            assert_int_equal(tokens.items[at].id, plain->words[w][i]);
    assert_int_equal(tokens.n, at);
    tokens_release(&tokens);
}

static void test_bpe_train__learns_what_counting_anew_learns(void **state)
{
    (void)state;
    uint64_t seed = 3;
    struct plain *plain = test_malloc(sizeof *plain);
    for (unsigned trial = 0; trial < 300; trial++) {
        char text[1000] = "";
        size_t letters = testing_between(&seed, 1, 4), n = testing_between(&seed, 0, 60), used = 0;
        for (size_t w = 0; w < n; w++) {
            text[used++] = ' ';
            for (size_t i = testing_between(&seed, 1, 12); i > 0; i--)
                text[used++] = (char)('a' + testing_between(&seed, 0, letters - 1));
        }
        text[used] = '\0';
        if (n == 0)
            strcpy(text, " a");
        size_t n_merges = testing_between(&seed, 0, 40);
        struct tokenizer *tokenizer = train(text, n_merges);
        unsigned left = 0, right = 0;
        plain_begin(plain, text);
        for (size_t i = 0; i < n_merges && plain_commonest(plain, &left, &right); i++)
            plain_merge(plain, left, right);
        check_tokens(plain, tokenizer, text);
        tokenizer_close(tokenizer);
    }
    test_free(plain);
}

static void test_bpe_train__all_bytes_have_a_token(void **state)
{
    (void)state;
    static const char *const added[] = {"<|endoftext|>", "<pad>"};
    const struct tokenizer_plan plan = {.n_merges = 3, .added = added, .n_added = 2};
    struct tokenizer *tokenizer;
    struct tokens tokens = {0};
    struct text text = {0};
    char bytes[256];
    uint32_t ids[256], id;
    size_t size;
    assert_true(tokenizer_train(&plan, "low low low lower lowest", 24, &tokenizer, NULL));
    assert_int_equal(tokenizer_size(tokenizer), 256 + 3 + 2);
    assert_memory_equal(tokenizer_token(tokenizer, 0, &size), "!", 1);
    assert_memory_equal(tokenizer_token(tokenizer, 188, &size), "\0", 1);
    assert_true(tokenizer_find(tokenizer, "<pad>", 5, &id));
    assert_int_equal(id, 260);
    for (unsigned i = 0; i < 256; i++)
        bytes[i] = (char)i;
    assert_true(tokenizer_encode(tokenizer, bytes, 256, &tokens, NULL));
    for (size_t i = 0; i < tokens.n; i++)
        ids[i] = tokens.items[i].id;
    assert_true(tokenizer_decode(tokenizer, ids, tokens.n, &text, NULL));
    assert_int_equal(text.size, 256);
    assert_memory_equal(text.bytes, bytes, 256);
    text_release(&text);
    tokens_release(&tokens);
    tokenizer_close(tokenizer);
}

/* What some bytes are encoded as, decoded. */
static void check_comes_back(const struct tokenizer *tokenizer, const char *bytes, size_t size)
{
    struct tokens tokens = {0};
    struct text text = {0};
    uint32_t ids[LONGEST];
    assert_true(tokenizer_encode(tokenizer, bytes, size, &tokens, NULL));
    assert_true(tokens.n <= size);
    for (size_t i = 0; i < tokens.n; i++)
        ids[i] = tokens.items[i].id;
    assert_true(tokenizer_decode(tokenizer, ids, tokens.n, &text, NULL));
    assert_int_equal(text.size, size);
    if (size > 0)
        assert_memory_equal(text.bytes, bytes, size);
    text_release(&text);
    tokens_release(&tokens);
}

/* Bytes of all kinds, pieces of letters, blanks, and what was merged, in any order. */
static void test_bpe_train__any_bytes_come_back(void **state)
{
    (void)state;
    static const char learnt[] =
        "low low lower lowest, \xC3\xA9t\xC3\xA9 \xE2\x82\xAC 12 it's  \n\n ";
    const struct tokenizer_plan plan = {.n_merges = 25};
    struct tokenizer *tokenizer;
    uint64_t seed = 5;
    char bytes[LONGEST];
    assert_true(tokenizer_train(&plan, learnt, sizeof learnt - 1, &tokenizer, NULL));
    for (int round = 0; round < 3000; round++) {
        size_t size = testing_between(&seed, 0, LONGEST), any = testing_between(&seed, 0, 4);
        for (size_t i = 0; i < size; i++)
            bytes[i] = testing_between(&seed, 1, 4) <= any
                           ? (char)testing_between(&seed, 0, 255)
                           : learnt[testing_between(&seed, 0, sizeof learnt - 2)];
        check_comes_back(tokenizer, bytes, size);
    }
    tokenizer_close(tokenizer);
}

/* Encodes text by both, and finds the same. */
static void check_same(const struct tokenizer *a, const struct tokenizer *b, const char *text)
{
    struct tokens x = {0}, y = {0};
    assert_true(tokenizer_encode(a, text, strlen(text), &x, NULL));
    assert_true(tokenizer_encode(b, text, strlen(text), &y, NULL));
    assert_int_equal(x.n, y.n);
    for (size_t i = 0; i < x.n; i++)
        assert_int_equal(x.items[i].id, y.items[i].id);
    tokens_release(&x);
    tokens_release(&y);
}

static void test_bpe_train__what_is_saved_is_read_again(void **state)
{
    (void)state;
    static const char *const added[] = {"<|end|>"};
    const char text[] = "the cat, the \"hat\" and the \\bat\\ \xC3\xA9t\xC3\xA9\n\n the end<|end|>";
    const struct tokenizer_plan plan = {.n_merges = 30, .added = added, .n_added = 1};
    char path[TESTING_PATH];
    struct tokenizer *tokenizer, *again;
    struct error error;
    assert_true(tokenizer_train(&plan, text, strlen(text), &tokenizer, NULL));
    testing_path(path, ".");
    if (!tokenizer_save(tokenizer, path, &error))
        fail_msg("%s", error.text);
    assert_int_equal(testing_count_files(), 3);
    if (!tokenizer_open(path, &again, &error))
        fail_msg("%s", error.text);
    assert_int_equal(tokenizer_size(again), tokenizer_size(tokenizer));
    check_same(tokenizer, again, text);
    tokenizer_close(again);
    assert_int_equal(remove(testing_path(path, "tokenizer.json")), 0);
    assert_true(tokenizer_open(testing_path(path, "."), &again, &error));
    check_same(tokenizer, again, "the cat, the \"hat\" \xC3\xA9t\xC3\xA9\n\n");
    tokenizer_close(again);
    assert_error(tokenizer_save(tokenizer, testing_path(path, "none"), &error), error, ERR_FILE);
    tokenizer_close(tokenizer);
}

static void test_bpe_train__failed_allocations_are_reported(void **state)
{
    (void)state;
    static const char *const added[] = {"<|end|>"};
    const char text[] = "a bab abab baba abab bbb bababab";
    const struct tokenizer_plan plan = {.n_merges = 30, .added = added, .n_added = 1};
    char path[TESTING_PATH];
    struct tokenizer *tokenizer;
    struct error error;
    assert_reports_failed_allocations(
        tokenizer_train(&plan, text, sizeof text - 1, &tokenizer, &error), error);
    testing_path(path, ".");
    assert_reports_failed_allocations(tokenizer_save(tokenizer, path, &error), error);
    tokenizer_close(tokenizer);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, NULL, testing_clear_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_bpe_train__learns_what_counting_anew_learns),
        IN_FOLDER(test_bpe_train__all_bytes_have_a_token),
        IN_FOLDER(test_bpe_train__any_bytes_come_back),
        IN_FOLDER(test_bpe_train__what_is_saved_is_read_again),
        IN_FOLDER(test_bpe_train__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("bpe_train", tests, testing_make_folder,
                                       testing_remove_folder);
}
