/* files/tokenizer.h: byte-level tokenizers from the files of models. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/tokenizer.h"
#include "files_testing.h"

/* ---- small tokenizers ---- */

/* A vocabulary of a, b, c, a blank (as its letter) and what these merge to. */
#define VOCAB                                                               \
    "{\"a\":0,\"b\":1,\"c\":2,\"\xC4\xA0\":3,\"ab\":4,\"abc\":5,\"\xC4\xA0" \
    "a\":6,\"bc\":7,\"\xC4\xA0"                                             \
    "abc\":9}"

static void write_text(const char *name, const char *text)
{
    testing_write(name, text, strlen(text));
}

static bool open_at(const char *name, struct tokenizer **ret, struct error *error)
{
    char path[TESTING_PATH];
    return tokenizer_open(testing_path(path, name), ret, error);
}

static struct tokenizer *open_folder(const char *name)
{
    struct tokenizer *tokenizer;
    struct error error;
    if (!open_at(name, &tokenizer, &error))
        fail_msg("%s", error.text);
    return tokenizer;
}

/* A folder with vocab.json and merges.txt. */
static struct tokenizer *open_merges(const char *vocab, const char *merges)
{
    write_text("m/vocab.json", vocab);
    write_text("m/merges.txt", merges);
    return open_folder("m");
}

/* A folder with a tokenizer.json: VOCAB, merges, and these members of the whole and of its model.
 */
static void write_json(const char *members, const char *model_members)
{
    struct text text = {0};
    text_format(&text,
                "{%s\"model\":{%s\"vocab\":" VOCAB ",\"merges\":[\"a b\",[\"ab\",\"c\"],"
                "\"\xC4\xA0 a\"]}}",
                members, model_members);
    testing_write("j/tokenizer.json", text.bytes, text.size);
    text_release(&text);
}

#define BYTE_LEVEL "\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false},"

/* "ID:BEGIN-END ..." of the tokens of bytes[0..size). */
static void check_bytes(const struct tokenizer *tokenizer, const char *bytes, size_t size,
                        const char *want)
{
    struct tokens tokens = {0};
    struct text got = {0};
    struct error error;
    if (!tokenizer_encode(tokenizer, bytes, size, &tokens, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < tokens.n; i++)
        text_format(&got, "%s%u:%zu-%zu", i > 0 ? " " : "", (unsigned)tokens.items[i].id,
                    tokens.items[i].begin, tokens.items[i].end);
    assert_string_equal(text_string(&got), want);
    text_release(&got);
    tokens_release(&tokens);
}

static void check(const struct tokenizer *tokenizer, const char *text, const char *want)
{
    check_bytes(tokenizer, text, strlen(text), want);
}

static void check_refused(enum error_kind kind, const char *says)
{
    struct tokenizer *tokenizer = NULL;
    struct error error;
    assert_error(open_at("j", &tokenizer, &error), error, kind);
    assert_says(error, "/j");
    assert_says(error, says);
    assert_null(tokenizer);
}

static void check_json_refused(const char *members, const char *model_members, enum error_kind kind,
                               const char *says)
{
    write_json(members, model_members);
    check_refused(kind, says);
}

/* ---- merges ---- */

static void test_tokenizer__the_merge_that_was_learnt_first_comes_first(void **state)
{
    (void)state;
    struct tokenizer *tokenizer = open_merges(VOCAB, "#version: 0.2\na b\nb c\nab c\n");
    check(tokenizer, "abc", "5:0-3");
    check(tokenizer, "bcab", "7:0-2 4:2-4");
    check(tokenizer, "aab", "0:0-1 4:1-3");
    check(tokenizer, "", "");
    tokenizer_close(tokenizer);
    tokenizer = open_merges(VOCAB, "b c\r\n\r\na b\r\nab c"); /* as Windows ends lines */
    check(tokenizer, "abc", "0:0-1 7:1-3");
    tokenizer_close(tokenizer);
}

/* The pair counts, and not what it makes: (ab, c) was learnt, (a, bc) was not. */
static void test_tokenizer__merges_are_of_pairs(void **state)
{
    (void)state;
    struct tokenizer *tokenizer = open_merges(VOCAB, "b c\nab c\na b\n");
    check(tokenizer, "abc", "0:0-1 7:1-3");
    check(tokenizer, "ab c", "4:0-2 3:2-3 2:3-4");
    tokenizer_close(tokenizer);
    /* Of a pair that stands twice, the last counts. */
    tokenizer = open_merges(VOCAB, "a b\nb c\na b\n");
    check(tokenizer, "abc", "0:0-1 7:1-3");
    tokenizer_close(tokenizer);
}

static void test_tokenizer__equal_pairs_merge_from_the_left(void **state)
{
    (void)state;
    struct tokenizer *tokenizer = open_merges("{\"a\":0,\"aa\":1,\"aaaa\":2}", "a a\naa aa\n");
    check(tokenizer, "aaa", "1:0-2 0:2-3");
    check(tokenizer, "aaaaaaa", "2:0-4 1:4-6 0:6-7");
    tokenizer_close(tokenizer);
}

static void test_tokenizer__a_byte_without_token_is_named(void **state)
{
    (void)state;
    struct tokenizer *tokenizer = open_merges(VOCAB, "");
    struct tokens tokens = {0};
    struct error error;
    assert_error(tokenizer_encode(tokenizer, "az", 2, &tokens, &error), error, ERR_RANGE);
    assert_says(error, "the byte 0x7A has no token");
    tokens_release(&tokens);
    tokenizer_close(tokenizer);
}

/* ---- decoding, looking ---- */

static void test_tokenizer__ids_become_bytes(void **state)
{
    (void)state;
    struct tokenizer *tokenizer = open_merges(VOCAB, "a b\n");
    struct text text = {0};
    struct error error;
    size_t size;
    uint32_t id;
    assert_true(tokenizer_decode(tokenizer, (uint32_t[]){5, 9, 3}, 3, &text, &error));
    assert_string_equal(text_string(&text), "abc abc ");
    assert_error(tokenizer_decode(tokenizer, (uint32_t[]){0, 8}, 2, &text, &error), error,
                 ERR_RANGE);
    assert_says(error, "the token id 8, number 1 from 0");
    assert_error(tokenizer_decode(tokenizer, (uint32_t[]){UINT32_MAX}, 1, &text, &error), error,
                 ERR_RANGE);
    assert_says(error, "ids from 0 to 9");
    assert_string_equal(text_string(&text), "abc abc ");
    text_release(&text);
    assert_int_equal(tokenizer_size(tokenizer), 10);
    assert_memory_equal(tokenizer_token(tokenizer, 6, &size), " a", 2);
    assert_int_equal(size, 2);
    assert_null(tokenizer_token(tokenizer, 8, &size));
    assert_true(tokenizer_find(tokenizer, " abc", 4, &id));
    assert_int_equal(id, 9);
    assert_false(tokenizer_find(tokenizer, "abcd", 4, &id));
    tokenizer_close(tokenizer);
}

static void test_tokenizer__tokens_are_shown_safely(void **state)
{
    (void)state;
    static const char *const shown[][3] = {
        {" it", "\u2423it", "_it"},
        {"\t\n\r", "\u21E5\u21B5\\x0D", "\\t\\n\\x0D"},
        {"\xC3\xA9", "\xC3\xA9", "\\xC3\\xA9"},
        {"\xC3", "\\xC3", "\\xC3"},
        {"\x1B[2J", "\\x1B[2J", "\\x1B[2J"},
        {"\u202E", "\\xE2\\x80\\xAE", "\\xE2\\x80\\xAE"},
    };
    for (size_t i = 0; i < COUNT_OF(shown); i++)
        for (int ascii = 0; ascii < 2; ascii++) {
            struct text text = {0};
            token_show(shown[i][0], strlen(shown[i][0]), ascii, &text);
            assert_string_equal(text_string(&text), shown[i][1 + ascii]);
            text_release(&text);
        }
}

/* ---- tokenizer.json ---- */

static void test_tokenizer__added_tokens_are_found_in_text(void **state)
{
    (void)state;
    write_json(BYTE_LEVEL "\"added_tokens\":["
                          "{\"id\":8,\"content\":\"<e>\",\"special\":true,\"lstrip\":false},"
                          "{\"id\":12,\"content\":\"<e>>\"},{\"id\":11,\"content\":\"<\"},"
                          "{\"id\":5,\"content\":\"abc\"},{\"id\":20,\"content\":\"\xC3\xA9\"}],",
               "");
    struct tokenizer *tokenizer = open_folder("j");
    assert_int_equal(tokenizer_size(tokenizer), 21);
    check(tokenizer, "<e>", "8:0-3");
    check(tokenizer, "<<e>>ab<e>", "11:0-1 12:1-5 4:5-7 8:7-10");
    /* It ends the word before: " abc" would be a token of its own word. */
    check(tokenizer, "a abc", "0:0-1 3:1-2 5:2-5");
    check(tokenizer, "c\xC3\xA9 a", "2:0-1 20:1-3 6:3-5");
    uint32_t id;
    assert_true(tokenizer_find(tokenizer, "<e>", 3, &id));
    assert_int_equal(id, 8);
    assert_false(tokenizer_find(tokenizer, "<e", 2, &id));
    tokenizer_close(tokenizer);
}

/* Llama 3's: a word that is a token is not merged. */
static void test_tokenizer__whole_words_come_first_where_merges_are_ignored(void **state)
{
    (void)state;
    for (int ignore = 0; ignore < 2; ignore++) {
        write_json(BYTE_LEVEL, ignore ? "\"ignore_merges\":true," : "");
        struct tokenizer *tokenizer = open_folder("j");
        check(tokenizer, "abc abc", ignore ? "5:0-3 9:3-7" : "5:0-3 3:3-4 5:4-7");
        tokenizer_close(tokenizer);
    }
}

static void test_tokenizer__composed_letters_know_where_they_come_from(void **state)
{
    (void)state;
    /* e and U+0301 become U+00E9, C3 A9; A followed by a ring is as long, but other bytes. */
    write_text("j/tokenizer.json",
               "{\"normalizer\":{\"type\":\"NFC\"}," BYTE_LEVEL
               "\"model\":{\"vocab\":{\"a\":0,\"\xC3\x83\":1,\"\xC2\xA9\":2,\"e\":3,\"\xC3\x8C\":4,"
               "\"\xC4\xA3\":5,\"\xC3\xBF\":6},\"merges\":[]}}");
    struct tokenizer *tokenizer = open_folder("j");
    check(tokenizer,
          "ae\xCC\x81"
          "a",
          "0:0-1 1:1-4 2:1-4 0:4-5");
    check(tokenizer,
          "e\xCC\x81"
          "e\xCC\x81",
          "1:0-3 2:0-3 1:3-6 2:3-6");
    check(tokenizer, "\xC3\xA9", "1:0-1 2:1-2");
    check_bytes(tokenizer,
                "\xFF"
                "e\xCC\x81",
                4, "6:0-1 1:1-4 2:1-4");
    tokenizer_close(tokenizer);
}

static void test_tokenizer__what_attn_does_not_know_is_named(void **state)
{
    (void)state;
    check_json_refused("", "", ERR_NAME, "its pre_tokenizer is ''");
    check_json_refused("\"pre_tokenizer\":null,", "", ERR_NAME, "pre_tokenizer");
    check_json_refused("\"pre_tokenizer\":{\"type\":\"Metaspace\"},", "", ERR_NAME,
                       "its pre_tokenizer is 'Metaspace'");
    check_json_refused("\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":true},", "",
                       ERR_NAME, "add_prefix_space");
    check_json_refused("\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[]},", "",
                       ERR_NAME, "no ByteLevel");
    check_json_refused("\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":"
                       "\"Split\",\"pattern\":{\"Regex\":\"(a+)+b\"},\"behavior\":\"Isolated\"},"
                       "{\"type\":\"ByteLevel\",\"use_regex\":false}]},",
                       "", ERR_NAME, "it splits text by the pattern (a+)+b");
    check_json_refused(
        "\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":"
        "\"Split\",\"pattern\":{\"Regex\":\"\\\\p{N}\"},\"behavior\":\"Removed\"}]},",
        "", ERR_NAME, "its Split's behavior is 'Removed'");
    check_json_refused("\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":"
                       "\"ByteLevel\"},{\"type\":\"Digits\",\"individual_digits\":true}]},",
                       "", ERR_FILE, "after ByteLevel");
    check_json_refused("\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":"
                       "\"Digits\",\"individual_digits\":false}]},",
                       "", ERR_NAME, "individual_digits");
    check_json_refused("\"normalizer\":{\"type\":\"Lowercase\"}," BYTE_LEVEL, "", ERR_NAME,
                       "its normalizer is 'Lowercase'");
    check_json_refused("\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFC\"},"
                       "{\"type\":\"Strip\"}]}," BYTE_LEVEL,
                       "", ERR_NAME, "its normalizer is 'Strip'");
    check_json_refused(BYTE_LEVEL, "\"type\":\"Unigram\",", ERR_NAME, "its model is 'Unigram'");
    check_json_refused(BYTE_LEVEL, "\"byte_fallback\":true,", ERR_NAME, "byte_fallback");
    check_json_refused(BYTE_LEVEL, "\"dropout\":0.1,", ERR_NAME, "dropout");
    check_json_refused(BYTE_LEVEL, "\"end_of_word_suffix\":\"</w>\",", ERR_NAME,
                       "end_of_word_suffix");
    check_json_refused(BYTE_LEVEL "\"added_tokens\":[{\"id\":30,\"content\":\"x\","
                                  "\"lstrip\":true}],",
                       "", ERR_NAME, "its added token has lstrip");
}

static void test_tokenizer__files_that_are_wrong_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"", "not JSON"},
        {"{}", "no model"},
        {"[]", "a JSON object"},
        {"{\"model\":{}}", "no vocabulary"},
        {"{\"model\":{\"vocab\":{\"a\":0,\"b\":0}}}", "'b' has an id that another token has too"},
        {"{\"model\":{\"vocab\":{\"a\":-1}}}", "'a' has no id"},
        {"{\"model\":{\"vocab\":{\"a\":2097152}}}", "'a' has no id"},
        {"{\"model\":{\"vocab\":{\"a\":1.0}}}", "'a' has no id"},
        {"{\"model\":{\"vocab\":{\"a\":0,\"a\":1}}}", "duplicate"},
        {"{\"model\":{\"vocab\":{\"a\":0}}}", "no merges"},
        {"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[\"a\"]}}", "merge 1: it is not two tokens"},
        {"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[\"a a a\"]}}", "merge 1: it is not two"},
        {"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[\"a a\"]}}", "merge 1: its result"},
        {"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[\"a b\"]}}", "merge 1: its two parts"},
        {"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[[\"a\"]]}}", "merge 1: it is neither"},
        {"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[7]}}", "merge 1: it is neither"},
        {"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[]}," BYTE_LEVEL "\"added_tokens\":"
         "[{\"id\":0,\"content\":\"b\"}]}",
         "'b' is added with an id that another token has"},
        {"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[]}," BYTE_LEVEL "\"added_tokens\":[{}]}",
         "no content"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        write_text("j/tokenizer.json", wrong[i][0]);
        check_refused(ERR_FILE, wrong[i][1]);
    }
}

static void test_tokenizer__a_folder_that_lacks_a_file(void **state)
{
    (void)state;
    write_text("j/x", "");
    check_refused(ERR_FILE, "there is no tokenizer in it");
    write_text("j/tokenizer.model", "");
    check_refused(ERR_FILE, "SentencePiece");
    write_text("j/vocab.json", VOCAB);
    check_refused(ERR_FILE, "there is vocab.json and no merges.txt");
    write_text("j/merges.txt", "a b\nb\n");
    check_refused(ERR_FILE, "merges.txt: merge 2: it is not two tokens");
    write_text("j/merges.txt", "a b\nb a\n");
    check_refused(ERR_FILE, "merges.txt: merge 2: its result");
}

static void test_tokenizer__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct tokenizer *tokenizer;
    struct error error;
    struct tokens tokens = {0};
    struct text text = {0};
    write_text("m/vocab.json", VOCAB);
    write_text("m/merges.txt", "a b\nab c\n");
    assert_reports_failed_allocations(open_at("m", &tokenizer, &error), error);
    assert_reports_failed_allocations(tokenizer_encode(tokenizer, "ab c", 4, &tokens, &error),
                                      error);
    assert_reports_failed_allocations(
        tokenizer_decode(tokenizer, (uint32_t[]){4, 5}, 2, &text, &error), error);
    tokens_release(&tokens);
    text_release(&text);
    tokenizer_close(tokenizer);
    write_json("\"normalizer\":{\"type\":\"NFC\"}," BYTE_LEVEL
               "\"added_tokens\":[{\"id\":30,\"content\":\"e\\u0301\"}],",
               "");
    assert_reports_failed_allocations(open_at("j", &tokenizer, &error), error);
    assert_reports_failed_allocations(
        tokenizer_encode(tokenizer, "ab e\xCC\x81", 6, &tokens, &error), error);
    tokens_release(&tokens);
    tokenizer_close(tokenizer);
}

/* ---- words that a tokenizer of words does not know ---- */

static void assert_unknown(const struct tokenizer *tokenizer, const char *text, const char *wanted)
{
    struct text found = {0};
    size_t begin = 0, end = 0;
    while (tokenizer_next_unknown(tokenizer, text, strlen(text), &begin, &end)) {
        assert_true(begin < end && end <= strlen(text));
        text_format(&found, "%s%zu:%.*s", found.size > 0 ? " " : "", begin, (int)(end - begin),
                    text + begin);
    }
    assert_string_equal(text_string(&found), wanted);
    text_release(&found);
}

/* Each has its first byte before it. Signs are words by themselves, and so are letters beside them;
 * a word that holds a sign counts where it stands whole. */
static void test_tokenizer__unknown_words_are_found_one_by_one(void **state)
{
    (void)state;
    static const char *const words[] = {"the", "cat", ".", "don't", "caf\xC3\xA9"};
    struct tokenizer *tokenizer;
    struct error error;
    assert_true(tokenizer_of_words(words, COUNT_OF(words), &tokenizer, &error));
    assert_unknown(tokenizer, "", "");
    assert_unknown(tokenizer, " \t\n", "");
    assert_unknown(tokenizer, "the cat.", "");
    assert_unknown(tokenizer, "The CAT don't", ""); /* no word has a capital */
    assert_unknown(tokenizer, "the dog, the dog.", "4:dog 7:, 13:dog");
    assert_unknown(tokenizer, "  cats", "2:cats");
    assert_unknown(tokenizer, "cat-cat", "3:-");
    assert_unknown(tokenizer, "don't! dont", "0:don 3:' 4:t 5:! 7:dont");
    assert_unknown(tokenizer, "caf\xC3\xA9 caf\xC3\xA8", "6:caf\xC3\xA8");
    size_t begin = 0, end = 7; /* after the first dog */
    assert_true(tokenizer_next_unknown(tokenizer, "the dog dog", 11, &begin, &end));
    assert_int_equal(begin, 8);
    assert_int_equal(end, 11);
    begin = end = 0;
    assert_false(
        tokenizer_next_unknown(tokenizer, "the dog", 4, &begin, &end)); /* its size ends it */
    tokenizer_close(tokenizer);
}

static void test_tokenizer__bytes_are_never_unknown(void **state)
{
    (void)state;
    struct tokenizer *tokenizer = open_merges(VOCAB, "a b\n");
    assert_false(tokenizer_is_of_words(tokenizer));
    assert_unknown(tokenizer, "dogs, \xFF", "");
    tokenizer_close(tokenizer);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, NULL, testing_clear_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_tokenizer__the_merge_that_was_learnt_first_comes_first),
        IN_FOLDER(test_tokenizer__merges_are_of_pairs),
        IN_FOLDER(test_tokenizer__equal_pairs_merge_from_the_left),
        IN_FOLDER(test_tokenizer__a_byte_without_token_is_named),
        IN_FOLDER(test_tokenizer__ids_become_bytes),
        IN_FOLDER(test_tokenizer__tokens_are_shown_safely),
        IN_FOLDER(test_tokenizer__added_tokens_are_found_in_text),
        IN_FOLDER(test_tokenizer__whole_words_come_first_where_merges_are_ignored),
        IN_FOLDER(test_tokenizer__composed_letters_know_where_they_come_from),
        IN_FOLDER(test_tokenizer__what_attn_does_not_know_is_named),
        IN_FOLDER(test_tokenizer__files_that_are_wrong_are_refused),
        IN_FOLDER(test_tokenizer__a_folder_that_lacks_a_file),
        IN_FOLDER(test_tokenizer__failed_allocations_are_reported),
        IN_FOLDER(test_tokenizer__unknown_words_are_found_one_by_one),
        IN_FOLDER(test_tokenizer__bytes_are_never_unknown),
    };
    return cmocka_run_group_tests_name("tokenizer", tests, testing_make_folder,
                                       testing_remove_folder);
}
