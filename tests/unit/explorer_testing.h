/* What the tests of the explorer share: one with a pane of its own, keys, and what is drawn. */
#ifndef ATTN_TESTS_EXPLORER_TESTING_H
#define ATTN_TESTS_EXPLORER_TESTING_H

#include "lang_testing.h"

#include "ui/panes/explorer/explorer.h"

enum { ROWS = 20, COLS = 60 };

struct fixture {
    struct explorer explorer;
    struct canvas canvas; /* ROWS and COLS at first */
    bool ascii;
    char text[CANVAS_MAX_COLS * 16]; /* what row_text() and marked() return */
};

extern const struct settings explorer_plain; /* 3 digits, no colours */

int explorer_setup(void **state);
int explorer_teardown(void **state);
#define explorer_unit_test(test) \
    cmocka_unit_test_setup_teardown(test, explorer_setup, explorer_teardown)

void resize(struct fixture *fixture, int rows, int cols);
/* Keys as they are typed: characters, and < > ^ _ for the arrows, \n, ~ for Backspace, | for Tab, $
 * for Escape. */
void type(struct fixture *fixture, const char *keys);
void draw(struct fixture *fixture);
/* A row of the pane as drawn last, without blanks at its end. */
const char *row_text(struct fixture *fixture, int row);
/* The row that holds a text, or -1. */
int find_row(struct fixture *fixture, const char *part);
/* Draws, and clicks on a text, `more` columns after its start. */
void click(struct fixture *fixture, const char *part, int more, bool is_double);
/* Draws, and gives the cells with a mark, as text, | between places apart. */
const char *marked(struct fixture *fixture, unsigned mark);

void check_shown(const char *file, int line, struct fixture *fixture, const char *part,
                 bool wanted);
#define assert_shown(fixture, part) check_shown(__FILE__, __LINE__, fixture, part, true)
#define assert_not_shown(fixture, part) check_shown(__FILE__, __LINE__, fixture, part, false)

struct node *node_of(struct fixture *fixture, const char *stage);
float number(struct fixture *fixture, const char *stage, size_t position);
bool is_stage(struct fixture *fixture, const char *stage);
void show(struct fixture *fixture, const char *stage); /* by the keys [ and ] */
/* What an expression is in the explorer's own session equals a stage. */
void check_equals(struct fixture *fixture, const char *stage, const char *expression);
void set_sentence(struct fixture *fixture, const char *sentence);
/* So many words of two letters, each another one. */
void set_words(struct fixture *fixture, int n);

#endif
