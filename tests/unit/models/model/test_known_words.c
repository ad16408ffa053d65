/* model/model.h: words completed and listed, for a model whose words are known. */
#include "course_testing.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "files/tokenizer.h"
#include "model/model.h"
#include "model/model.h"
#include "show/doc.h"
#include "task/grammar.h"

static const char *const words[] = {"<start>", "cat", "cart", "carts", "dog", "meowed", ".", "<"};

static int open_model(void **state)
{
    static struct model model;
    struct error error;
    model = (struct model){.name = NULL};
    assert_true(tokenizer_of_words(words, COUNT_OF(words), &model.tokenizer, &error));
    *state = &model;
    return 0;
}

static int close_model(void **state)
{
    tokenizer_close(((struct model *)*state)->tokenizer);
    return 0;
}

static void assert_completes(const struct model *model, const char *begin, size_t n,
                             const char *rest)
{
    struct text added = {0};
    assert_int_equal(known_words_complete(model, begin, strlen(begin), &added), n);
    assert_string_equal(text_string(&added), rest);
    text_release(&added);
}

/* By as many letters as all words share that begin like this. */
static void test_known_words__are_completed(void **state)
{
    const struct model *model = *state;
    assert_completes(model, "c", 3, "a");
    assert_completes(model, "car", 2, "t");
    assert_completes(model, "cart", 2, "");
    assert_completes(model, "carts", 1, "");
    assert_completes(model, "D", 1, "og");
    assert_completes(model, "x", 0, "");
    assert_completes(model, "<s", 1, "tart>");
    assert_completes(model, "", 7, ""); /* <start> is not meant to be typed */
}

static void test_known_words__are_listed(void **state)
{
    static const struct {
        const char *begin, *list;
    } lists[] = {
        {"", "cat cart carts dog meowed . <"},
        {"CAR", "cart carts"},
        {"<", "<start> <"},
        {"x", ""},
    };
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        struct text list = {0};
        known_words_list(*state, lists[i].begin, strlen(lists[i].begin), &list);
        assert_string_equal(text_string(&list), lists[i].list);
        text_release(&list);
    }
}

static void assert_shows(const struct model *model, const struct grammar *grammar, size_t width,
                         const char *wanted)
{
    struct text shown = {0};
    struct doc doc;
    doc_init(&doc);
    known_words_show(model, grammar, width, &doc);
    doc_check_lines(&doc, width, false, &shown);
    assert_string_equal(text_string(&shown), wanted);
    text_release(&shown);
    doc_release(&doc);
}

/* Each word once: under its class, under a form of it, or with the others. What the model does not
 * know is left out, and so is a form of which it knows no word. */
static void test_known_words__are_shown_by_kind(void **state)
{
    static char *grammar_words[] = {"cat", "meowed", "cow", "mooed", "dog", "cats"};
    static char *columns[] = {"word", "sound", "plural"};
    static char animal[] = "animal", pet[] = "pet";
    static int32_t animals[] = {0, 1, 5, 2, 3, -1}, pets[] = {0, 4};
    struct word_class classes[] = {
        {.name = animal, .n_columns = 3, .n_rows = 2, .column_of = {0, 1, 2}, .tokens = animals},
        {.name = pet, .n_columns = 1, .n_rows = 2, .column_of = {0, -1, -1}, .tokens = pets},
    };
    struct grammar grammar = {.words = grammar_words,
                              .classes = classes,
                              .n_classes = COUNT_OF(classes),
                              .columns = columns,
                              .n_columns = COUNT_OF(columns)};
    assert_shows(*state, &grammar, 80,
                 "animal: cat\nanimal, sound: meowed\npet: dog\nothers: cart carts . <\n");
    assert_shows(*state, NULL, 80, "cat cart carts dog meowed . <\n");
    assert_shows(*state, NULL, 15, "cat cart carts\ndog meowed . <\n");
}

/* A model without a tokenizer has no list of words. */
static void test_known_words__of_a_model_without_words(void **state)
{
    struct model model = {.tokenizer = NULL};
    struct text list = {0};
    assert_true(known_words_are_there(*state));
    assert_false(known_words_are_there(&model));
    assert_completes(&model, "c", 0, "");
    known_words_list(&model, "", 0, &list);
    assert_int_equal(list.size, 0);
    text_release(&list);
}

#define WITH_MODEL(name) \
    cmocka_unit_test_setup_teardown(test_known_words__##name, open_model, close_model)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MODEL(are_completed),
        WITH_MODEL(are_listed),
        WITH_MODEL(are_shown_by_kind),
        WITH_MODEL(of_a_model_without_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
