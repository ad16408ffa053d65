/* What the tests of the language share: a session, lines that must work or fail, and a picture of
 * all that a line may change. */
#ifndef ATTN_TESTS_LANG_TESTING_H
#define ATTN_TESTS_LANG_TESTING_H

#include "testing.h"

#include "lang/session/session.h"

/* The folder that holds assets/, from the environment. */
const char *testing_data_dir(void);

/* A session of 80 columns and 4 digits without colours. setup() and teardown() for cmocka leave one
 * in *state. */
struct lang {
    struct session session;
    volatile sig_atomic_t stop;
    struct text shown; /* what the last line showed, as plain text */
};

void lang_open(struct lang *lang);
void lang_close(struct lang *lang);
int lang_setup(void **state);
int lang_teardown(void **state);

/* A test whose *state is a session of its own. */
#define lang_unit_test(test) cmocka_unit_test_setup_teardown(test, lang_setup, lang_teardown)

/* Runs the statements of one line. */
bool lang_try(struct lang *lang, const char *line, struct error *reterr);
/* Runs lines, each cut at its newline, that must all work. What the last one showed is in shown. */
void lang_run(struct lang *lang, const char *lines);
/* All that a line may change, as a text: two sessions' worth of it can be compared. */
void lang_describe(const struct lang *lang, struct text *text);
/* The tensor that a name stands for; the test fails where it stands for none. */
struct node *lang_node(struct lang *lang, const char *name);

/* assert_value(lang, expression, n_axes, shape, numbers, tolerance): its value is this tensor. */
#define assert_value(...) lang_check_value(__FILE__, __LINE__, __VA_ARGS__)
/* The value of the expression is one number. */
#define assert_number(lang, expression, number, tolerance) \
    assert_value(lang, expression, 0, NULL, (float[]){(float)(number)}, tolerance)
/* A vector: assert_vector(lang, "[1, 2] * 2", 0, 2, 4) is close to 2, 4 within 0. */
#define assert_vector(lang, expression, tolerance, ...)                                           \
    assert_value(lang, expression, 1, (size_t[]){sizeof((float[]){__VA_ARGS__}) / sizeof(float)}, \
                 (float[]){__VA_ARGS__}, tolerance)
/* The line works and shows this text. */
#define assert_shows(lang, line, text) lang_check_shows(__FILE__, __LINE__, lang, line, text)
/* The line fails with this kind and a message that contains this part, shows nothing, and leaves
 * the session as it was. */
#define assert_fails(lang, line, kind, part) \
    lang_check_fails(__FILE__, __LINE__, lang, line, kind, part)
/* The same, and the error marks exactly this part of the line. */
#define assert_fails_at(lang, line, kind, part, marked) \
    lang_check_fails_at(__FILE__, __LINE__, lang, line, kind, part, marked)

/* What the macros call. */
void lang_check_value(const char *file, int line_number, struct lang *lang, const char *expression,
                      unsigned n_axes, const size_t *shape, const float *numbers, double tolerance);
void lang_check_shows(const char *file, int line_number, struct lang *lang, const char *line,
                      const char *text);
void lang_check_fails(const char *file, int line_number, struct lang *lang, const char *line,
                      enum error_kind kind, const char *part);
void lang_check_fails_at(const char *file, int line_number, struct lang *lang, const char *line,
                         enum error_kind kind, const char *part, const char *marked);

#endif
