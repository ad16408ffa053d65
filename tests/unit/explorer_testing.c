/* See explorer_testing.h. */
#include "explorer_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"

const struct settings explorer_plain = {.digits = 3, .width_cols = 80, .colours = COLOURS_NONE};

int explorer_setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct error error;
    assert_non_null(fixture);
    assert_true(
        explorer_init(&fixture->explorer, &explorer_plain, testing_data_dir(), NULL, &error));
    assert_true(canvas_resize(&fixture->canvas, ROWS, COLS));
    explorer_resize(&fixture->explorer, ROWS, COLS);
    *state = fixture;
    return 0;
}

int explorer_teardown(void **state)
{
    struct fixture *fixture = *state;
    explorer_release(&fixture->explorer);
    canvas_release(&fixture->canvas);
    free(fixture);
    return 0;
}

void resize(struct fixture *fixture, int rows, int cols)
{
    assert_true(canvas_resize(&fixture->canvas, rows, cols));
    explorer_resize(&fixture->explorer, rows, cols);
}

void type(struct fixture *fixture, const char *keys)
{
    struct explorer *explorer = &fixture->explorer;
    for (const char *c = keys; *c != '\0'; c++) {
        int key = *c == '<'    ? KEYCODE_LEFT
                  : *c == '>'  ? KEYCODE_RIGHT
                  : *c == '^'  ? KEYCODE_UP
                  : *c == '_'  ? KEYCODE_DOWN
                  : *c == '\n' ? KEYCODE_ENTER
                  : *c == '~'  ? KEYCODE_BACKSPACE
                  : *c == '|'  ? KEYCODE_TAB
                  : *c == '$'  ? KEYCODE_ESCAPE
                               : *c;
        (void)pane_press((struct pane){&explorer_ops, explorer}, key);
    }
}

void draw(struct fixture *fixture)
{
    canvas_clear(&fixture->canvas);
    explorer_draw(&fixture->explorer, canvas_area(&fixture->canvas), true, fixture->ascii);
}

const char *row_text(struct fixture *fixture, int row)
{
    char *at = fixture->text;
    for (int col = 0; col < fixture->canvas.cols; col++) {
        const char *bytes = fixture->canvas.cells[row * fixture->canvas.cols + col].bytes;
        memcpy(at, bytes, strlen(bytes));
        at += strlen(bytes);
    }
    while (at > fixture->text && at[-1] == ' ')
        at--;
    *at = '\0';
    return fixture->text;
}

int find_row(struct fixture *fixture, const char *part)
{
    for (int row = 0; row < fixture->canvas.rows; row++)
        if (strstr(row_text(fixture, row), part) != NULL)
            return row;
    return -1;
}

void check_shown(const char *file, int line, struct fixture *fixture, const char *part, bool wanted)
{
    draw(fixture);
    if ((find_row(fixture, part) >= 0) == wanted)
        return;
    for (int row = 0; row < fixture->canvas.rows; row++)
        print_error("|%s\n", row_text(fixture, row));
    print_error("%s: %s\n", wanted ? "not shown" : "shown", part);
    _fail(file, line);
}

const char *marked(struct fixture *fixture, unsigned mark)
{
    char *at = fixture->text;
    bool apart = false;
    draw(fixture);
    size_t n = (size_t)fixture->canvas.rows * (size_t)fixture->canvas.cols;
    for (size_t i = 0; i < n; i++) {
        const struct canvas_cell *cell = &fixture->canvas.cells[i];
        if (!(cell->look.marks & mark)) {
            apart = at > fixture->text;
            continue;
        }
        if (apart)
            *at++ = '|';
        apart = false;
        memcpy(at, cell->bytes, strlen(cell->bytes));
        at += strlen(cell->bytes);
    }
    *at = '\0';
    return fixture->text;
}

struct node *node_of(struct fixture *fixture, const char *stage)
{
    for (size_t i = 0; i < fixture->explorer.pipeline.n_stages; i++)
        if (strcmp(fixture->explorer.pipeline.stages[i].name, stage) == 0)
            return fixture->explorer.pipeline.stages[i].node;
    fail_msg("no stage %s", stage);
    return NULL;
}

float number(struct fixture *fixture, const char *stage, size_t position)
{
    return tensor_at_position(&node_of(fixture, stage)->value, position);
}

bool is_stage(struct fixture *fixture, const char *stage)
{
    for (size_t i = 0; i < fixture->explorer.pipeline.n_stages; i++)
        if (strcmp(fixture->explorer.pipeline.stages[i].name, stage) == 0)
            return true;
    return false;
}

void show(struct fixture *fixture, const char *stage)
{
    for (int i = 0; i < PIPELINE_MAX_STAGES; i++)
        type(fixture, "[");
    while (strcmp(fixture->explorer.pipeline.stages[fixture->explorer.stage].name, stage) != 0) {
        size_t before = fixture->explorer.stage;
        type(fixture, "]");
        assert_int_not_equal(before, fixture->explorer.stage);
    }
}

void check_equals(struct fixture *fixture, const char *stage, const char *expression)
{
    struct value value = {.kind = VALUE_ABSENT};
    struct error error;
    if (!session_peek(&fixture->explorer.pipeline.session, NULL, expression, &value, &error))
        fail_msg("%s", error.text);
    const struct tensor *wanted = &value.as.node->value, *got = &node_of(fixture, stage)->value;
    assert_true(tensor_same_shape(wanted, got));
    for (size_t i = 0; i < tensor_size(got); i++)
        assert_close(tensor_at_position(got, i), tensor_at_position(wanted, i), 1e-5);
    value_release(&value);
}

void set_sentence(struct fixture *fixture, const char *sentence)
{
    struct error error;
    if (!explorer_set_sentence(&fixture->explorer, sentence, &error))
        fail_msg("%s", error.text);
}

void set_words(struct fixture *fixture, int n)
{
    char words[256] = "";
    for (int i = 0; i < n; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%c%c ", 'a' + i / 8,
                 'a' + i % 8);
    set_sentence(fixture, words);
}

void click(struct fixture *fixture, const char *part, int more, bool is_double)
{
    draw(fixture);
    int row = find_row(fixture, part);
    assert_true(row >= 0);
    const char *text = row_text(fixture, row);
    int col = (int)text_width(text, (size_t)(strstr(text, part) - text)) + more;
    explorer_click(&fixture->explorer, canvas_area(&fixture->canvas), row, col, is_double);
}
