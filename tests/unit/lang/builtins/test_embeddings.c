/* lang/builtins/embeddings.h: words, and the vectors they come with. */
#include "lang_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lang/builtins/embeddings.h"

/* A table in a file of its own. */
struct table {
    char path[64];
};

static struct table table_of(const char *text)
{
    struct table table = {.path = "/tmp/attn-embeddings-XXXXXX"};
    int fd = mkstemp(table.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return table;
}

static struct embeddings *loaded(const char *text)
{
    struct table table = table_of(text);
    struct embeddings *embeddings;
    struct error error;
    bool ok = embeddings_load(table.path, &embeddings, &error);
    unlink(table.path);
    if (!ok)
        fail_msg("%s", error.text);
    return embeddings;
}

static void assert_vector_of(const struct embeddings *embeddings, const char *word, float a,
                             float b, float c)
{
    const float *vector = embeddings_find(embeddings, word, strlen(word));
    if (vector == NULL)
        fail_msg("%s has no vector", word);
    assert_close(vector[0], a, 0);
    assert_close(vector[1], b, 0);
    assert_close(vector[2], c, 0);
}

static void assert_unknown(const struct embeddings *embeddings, const char *word)
{
    assert_null(embeddings_find(embeddings, word, strlen(word)));
}

static void assert_refused(const char *text, const char *says)
{
    struct table table = table_of(text);
    struct embeddings *embeddings = NULL;
    struct error error;
    bool ok = embeddings_load(table.path, &embeddings, &error);
    unlink(table.path);
    assert_error(ok, error, ERR_FILE);
    assert_says(error, table.path);
    assert_says(error, says);
    assert_null(embeddings);
}

/* The worked example that attn promises: design.md, "The language". */
static void test_embeddings__hello_shiny_sun(void **state)
{
    (void)state;
    char path[4096];
    struct embeddings *embeddings;
    struct error error;
    snprintf(path, sizeof path, "%s/assets/embeddings.txt", testing_data_dir());
    if (!embeddings_load(path, &embeddings, &error))
        fail_msg("%s", error.text);
    assert_vector_of(embeddings, "Hello", 0.34F, 0.22F, 0.54F);
    assert_vector_of(embeddings, "shiny", 0.53F, 0.34F, 0.98F);
    assert_vector_of(embeddings, "sun", 0.29F, 0.54F, 0.93F);
    embeddings_free(embeddings);
}

static void test_embeddings__a_table_has_comments_and_blanks(void **state)
{
    (void)state;
    struct embeddings *embeddings = loaded("# a table\n"
                                           "\n"
                                           "  # indented\n"
                                           "one 1 0 -0.5\n"
                                           "\ttwo\t2  1e-3\t-.25 \r\n"
                                           "gr\xC3\xBC\xC3\x9F 7 8 9"); /* no newline */
    assert_vector_of(embeddings, "one", 1, 0, -0.5F);
    assert_vector_of(embeddings, "two", 2, 1e-3F, -0.25F);
    assert_vector_of(embeddings, "gr\xC3\xBC\xC3\x9F", 7, 8, 9);
    embeddings_free(embeddings);
}

static void test_embeddings__a_long_comment_is_one_comment(void **state)
{
    (void)state;
    struct text text = {0};
    text_char(&text, '#');
    text_repeat(&text, " word", 300);
    text_put(&text, " 1 2 3\nsun 4 5 6\n");
    struct embeddings *embeddings = loaded(text_string(&text));
    assert_vector_of(embeddings, "sun", 4, 5, 6);
    assert_unknown(embeddings, "word");
    embeddings_free(embeddings);
    text_release(&text);
}

static void test_embeddings__the_first_letter_may_be_in_the_other_case(void **state)
{
    (void)state;
    struct embeddings *embeddings = loaded("Hello 1 2 3\nsun 4 5 6\nSun 7 8 9\n");
    assert_vector_of(embeddings, "hello", 1, 2, 3);
    assert_vector_of(embeddings, "sun", 4, 5, 6);
    assert_vector_of(embeddings, "Sun", 7, 8, 9);
    assert_unknown(embeddings, "HELLO");
    assert_unknown(embeddings, "hellO");
    embeddings_free(embeddings);
}

static void test_embeddings__words_nobody_wrote_down(void **state)
{
    (void)state;
    struct embeddings *embeddings = loaded("sun 4 5 6\n{x 1 2 3\n");
    assert_unknown(embeddings, "moon");
    assert_unknown(embeddings, "su");
    assert_unknown(embeddings, "suns");
    assert_unknown(embeddings, "");
    assert_unknown(embeddings, "[x"); /* { is [ with one bit changed, as x is X; but no letter */
    assert_null(embeddings_find(embeddings, "sunshine", 0));
    char word[100];
    memset(word, 's', sizeof word);
    for (size_t size = 0; size <= sizeof word; size++)
        assert_null(embeddings_find(embeddings, word, size));
    embeddings_free(embeddings);
}

static void test_embeddings__a_wrong_line_is_named(void **state)
{
    (void)state;
    assert_refused("sun 1 2 3\nmoon 1 2\n", "line 2");
    assert_refused("# a\n\nsun 1 2 3 4\n", "line 3");
    assert_refused("sun 1 two 3\n", "line 1");
    assert_refused("sun 1 2 nan\n", "line 1");
    assert_refused("sun 1 2 inf\n", "line 1");
    assert_refused("sun 1 2 1e99\n", "line 1");
    assert_refused("a_word_that_is_far_longer_than_any_word 1 2 3\n", "line 1");
    assert_refused("sun\n", "line 1");
}

static void test_embeddings__a_missing_file_says_where_to_look(void **state)
{
    (void)state;
    struct embeddings *embeddings;
    struct error error;
    assert_error(embeddings_load("/nowhere/words.txt", &embeddings, &error), error, ERR_FILE);
    assert_says(error, "/nowhere/words.txt");
    assert_says(error, "ATTN_DATA_DIR");
    embeddings_free(NULL);
}

static bool load_once(const char *path, struct error *reterr)
{
    struct embeddings *embeddings;
    bool ok = embeddings_load(path, &embeddings, reterr);
    if (ok)
        embeddings_free(embeddings);
    return ok;
}

static void test_embeddings__without_memory_it_says_so(void **state)
{
    (void)state;
    struct text text = {0};
    struct error error;
    for (int i = 0; i < 200; i++)
        text_format(&text, "word%d 1 2 3\n", i);
    struct table table = table_of(text_string(&text));
    text_release(&text);
    assert_reports_failed_allocations(load_once(table.path, &error), error);
    unlink(table.path);
}

static void assert_words(const char *text, size_t n, const char *const *words)
{
    size_t at = 0, size;
    const char *word;
    for (size_t i = 0; i < n; i++) {
        size = embeddings_next_word(text, strlen(text), &at, &word);
        assert_int_equal(size, strlen(words[i]));
        assert_memory_equal(word, words[i], size);
    }
    assert_int_equal(embeddings_next_word(text, strlen(text), &at, &word), 0);
    assert_int_equal(embeddings_next_word(text, strlen(text), &at, &word), 0); /* and stays so */
}

#define WORDS(...)                                                                           \
    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *), (const char *const[]) \
    {                                                                                        \
        __VA_ARGS__                                                                          \
    }

static void test_embeddings__words_of_a_sentence(void **state)
{
    (void)state;
    assert_words("Hello shiny sun!", WORDS("Hello", "shiny", "sun"));
    assert_words("  (one),two;three...", WORDS("one", "two", "three"));
    assert_words("don't well-known", WORDS("don't", "well-known"));
    assert_words("'quoted' -dash- a--b", WORDS("quoted", "dash", "a", "b"));
    assert_words("x1 42", WORDS("x1", "42"));
    assert_words("gr\xC3\xBC\xC3\x9F \xE5\xA4\xAA", WORDS("gr\xC3\xBC\xC3\x9F", "\xE5\xA4\xAA"));
    assert_words("end-", WORDS("end"));
    assert_words("", 0, NULL);
    assert_words(" .,!-'", 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_embeddings__hello_shiny_sun),
        cmocka_unit_test(test_embeddings__a_table_has_comments_and_blanks),
        cmocka_unit_test(test_embeddings__a_long_comment_is_one_comment),
        cmocka_unit_test(test_embeddings__the_first_letter_may_be_in_the_other_case),
        cmocka_unit_test(test_embeddings__words_nobody_wrote_down),
        cmocka_unit_test(test_embeddings__a_wrong_line_is_named),
        cmocka_unit_test(test_embeddings__a_missing_file_says_where_to_look),
        cmocka_unit_test(test_embeddings__without_memory_it_says_so),
        cmocka_unit_test(test_embeddings__words_of_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
