/* What the tests of the course share: see course_testing.h. */
#include "course_testing.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "graph/node.h"
#include "show/backend.h"
#include "show/labels.h"

/* What both lessons ask. */

#define CHOICE_QUESTION                       \
    "### Which row\n"                         \
    "\n"                                      \
    "Which are right?\n"                      \
    "\n"                                      \
    "1. Rows are queries.\n"                  \
    "2. Rows are keys.\n"                     \
    "3. Columns are keys.\n"                  \
    "\n" LESSON_ANSWER "kind: choice\n"       \
    "answer: [1, 3]\n"                        \
    "because: Row by query, column by key.\n" \
    "hints:\n"                                \
    "  - Look at Q first.\n"                  \
    "wrong:\n"                                \
    "  - is: 2\n"                             \
    "    say: What does a row of Q @ K.T belong to?\n" LESSON_ANSWER_END

#define MATRIX_QUESTION                 \
    "### Fill in\n"                     \
    "\n"                                \
    "The scores, once more.\n"          \
    "\n" LESSON_ANSWER "kind: matrix\n" \
    "answer: scores\n"                  \
    "cells: [[0, 1], [1, 1]]\n"         \
    "because: As above.\n"              \
    "hints:\n"                          \
    "  - Multiply and add.\n"           \
    "wrong:\n"                          \
    "  - is: scores + 1\n"              \
    "    say: That is one too many.\n" LESSON_ANSWER_END

#define FORMULA_QUESTION                             \
    "### The formula\n"                              \
    "\n"                                             \
    "Type the weights, from Q, K and d_k.\n"         \
    "\n" LESSON_ANSWER "kind: formula\n"             \
    "answer: softmax(Q @ K.T / sqrt(d_k), dim=-1)\n" \
    "draw:\n"                                        \
    "  - d_k = 3 + argmax(rand(9))\n"                \
    "  - Q = randn(3, d_k)\n"                        \
    "  - K = randn(4, d_k)\n"                        \
    "because: Scores, scaled, softmax.\n"            \
    "hints:\n"                                       \
    "  - Begin with Q @ K.T.\n"                      \
    "wrong:\n"                                       \
    "  - is: softmax(Q @ K.T, dim=-1)\n"             \
    "    say: The scale is missing.\n" LESSON_ANSWER_END

#define ORDER_QUESTION                 \
    "### In order\n"                   \
    "\n"                               \
    "1. softmax\n"                     \
    "2. scores\n"                      \
    "3. context\n"                     \
    "\n" LESSON_ANSWER "kind: order\n" \
    "answer: [2, 1, 3]\n"              \
    "because: Scores first.\n"         \
    "hints:\n"                         \
    "  - The context comes last.\n"    \
    "wrong:\n"                         \
    "  - is: [1, 2, 3]\n"              \
    "    say: Softmax of what?\n" LESSON_ANSWER_END

#define GUESS_QUESTION                            \
    "### A guess\n"                               \
    "\n"                                          \
    "How large is the sum of a row of weights?\n" \
    "\n" LESSON_ANSWER "kind: predict\n"          \
    "answer: sum(weights[0])\n"                   \
    "because: Softmax divides by the sum.\n" LESSON_ANSWER_END

#define OWN_QUESTION                        \
    "### For yourself\n"                    \
    "\n"                                    \
    "What was new?\n"                       \
    "\n"                                    \
    "<details><summary>For you</summary>\n" \
    "\n"                                    \
    "```yaml\n"                             \
    "kind: reflection\n" LESSON_ANSWER_END

const char small_lesson[] =
    "---\n"
    "id: small\n"
    "title: A small lesson\n"
    "minutes: 8\n"
    "objectives:\n"
    "  - read a score\n"
    "---\n"
    "\n"
    "# A small lesson\n"
    "\n"
    "Two words, two numbers each.\n"
    "\n"
    "## The scores\n"
    "\n"
    "```attn\n"
    "Q = labels([[1, 0], [0, 2]], [\"one\", \"two\"])\n"
    "K = labels([[2, 0], [1, 2]], [\"one\", \"two\"])\n"
    "scores = Q @ K.T\n"
    "```\n"
    "\n"
    "The largest is `= max(scores)`.\n"
    "\n"
    "### How alike\n"
    "\n"
    "What is the score of two with two?\n"
    "\n"
    "<details><summary>Answer and hints</summary>\n"
    "\n"
    "```yaml\n"
    "kind: number\n"
    "answer: scores[\"two\", \"two\"]\n"
    "because: Each pair is multiplied, then added up to `= scores[1, 1]`.\n"
    "hints:\n"
    "  - Row two, column two.\n"
    "  - It is above `= scores[0, 0]`.\n"
    "wrong:\n"
    "  - is: scores[\"two\", \"two\"] / sqrt(2)\n"
    "    say: Nobody asked for scaled scores.\n"
    "  - is: sum(Q[1] + K[1])\n"
    "    say: You added the numbers. What does a dot product do first?\n" LESSON_ANSWER_END
        CHOICE_QUESTION "## The weights\n"
    "\n"
    "Softmax makes weights of them.\n"
    "\n"
    "```attn type\n"
    "weights = softmax(scores)\n"
    "heat weights\n"
    "```\n"
    "\n" MATRIX_QUESTION FORMULA_QUESTION ORDER_QUESTION "## The end\n"
    "\n" GUESS_QUESTION OWN_QUESTION;

const char kinds_lesson[] =
    "---\n"
    "id: kinds\n"
    "title: More kinds\n"
    "minutes: 8\n"
    "objectives:\n"
    "  - point, draw and change\n"
    "---\n"
    "\n"
    "# More kinds\n"
    "\n"
    "## All of them\n"
    "\n"
    "```attn\n"
    "words = [\"Hello\", \"shiny\", \"sun\"]\n"
    "X = embed(\"Hello shiny sun!\")\n"
    "scores = X @ X.T\n"
    "weights = softmax(scores)\n"
    "printed = where(scores == max(scores), 0.2, scores)\n"
    "```\n"
    "\n"
    "### A faulty cell\n"
    "\n"
    "Which cell is no dot product?\n"
    "\n" LESSON_ANSWER "kind: cell\n"
    "matrix: printed\n"
    "answer: printed != scores\n"
    "because: It was replaced.\n"
    "hints:\n"
    "  - Look at the diagonal.\n"
    "wrong:\n"
    "  - is: '[0, 0]'\n"
    "    say: That one is right.\n"
    "  - is: printed == scores\n"
    "    say: Nothing is wrong there.\n" LESSON_ANSWER_END "### A window\n"
    "\n"
    "Draw it.\n"
    "\n" LESSON_ANSWER "kind: mask\n"
    "answer: labels((tril(ones(3, 3)) - tril(ones(3, 3), diagonal=-2)) > 0, words, words)\n"
    "because: Two cells a row.\n"
    "hints:\n"
    "  - Row 0 has only itself.\n"
    "wrong:\n"
    "  - is: tril(ones(3, 3)) > 0\n"
    "    say: No window.\n" LESSON_ANSWER_END "### Look at Hello\n"
    "\n"
    "Change one number.\n"
    "\n" LESSON_ANSWER "kind: change\n"
    "change: X\n"
    "holds: argmax(weights[\"sun\"]) == 0\n"
    "makes: weights[\"sun\"]\n"
    "answer: X[\"Hello\", 2] = 3\n"
    "because: A long vector has large dot products.\n"
    "hints:\n"
    "  - Which numbers make the score?\n"
    "wrong:\n"
    "  - is: argmax(weights[\"sun\"]) == 2\n"
    "    say: Now it looks at itself.\n" LESSON_ANSWER_END "### A term\n"
    "\n"
    "```attn\n"
    "why scores[\"Hello\", \"Hello\"]\n"
    "```\n"
    "\n"
    "What is missing?\n"
    "\n" LESSON_ANSWER "kind: number\n"
    "answer: round(X[0, 0] ** 2, decimals=4)\n"
    "hides: round(X[0, 0] ** 2, decimals=4)\n"
    "because: The first product.\n"
    "hints:\n"
    "  - A number times itself.\n" LESSON_ANSWER_END "### A mix\n"
    "\n"
    "Which weights?\n"
    "\n" LESSON_ANSWER "kind: matrix\n"
    "answer: '[0.25, 0.75, 0]'\n"
    "makes: given @ [[4, 0], [0, 8], [2, 2]]\n"
    "because: So.\n"
    "hints:\n"
    "  - Hm.\n" LESSON_ANSWER_END;

const char course_lesson[] =
    "---\n"
    "id: every\n"
    "title: Every kind of question\n"
    "minutes: 9\n"
    "objectives:\n"
    "  - answer all kinds of questions that there are, in lines that are too long for one row\n"
    "  - turn pages\n"
    "---\n"
    "\n"
    "# Every kind of question\n"
    "\n"
    "Two words, two numbers each.\n"
    "\n"
    "## The scores\n"
    "\n"
    "```attn\n"
    "Q = labels([[1, 0], [0, 2]], [\"one\", \"two\"])\n"
    "K = labels([[2, 0], [1, 2]], [\"one\", \"two\"])\n"
    "scores = Q @ K.T\n"
    "noise = rand(2)\n"
    "scores\n"
    "```\n"
    "\n"
    "```attn quiet\n"
    "d_k = 2\n"
    "```\n"
    "\n"
    "The largest is `= max(scores)`, and chance gave `= noise[0]`.\n"
    "\n"
    "### How alike\n"
    "\n"
    "What is the score of two with two?\n"
    "\n"
    "<details><summary>Answer and hints</summary>\n"
    "\n"
    "```yaml\n"
    "kind: number\n"
    "answer: scores[\"two\", \"two\"]\n"
    "because: Each pair is multiplied, then added up to `= scores[1, 1]`.\n"
    "hints:\n"
    "  - Row two, column two.\n"
    "  - It is above `= scores[0, 0]`.\n"
    "wrong:\n"
    "  - is: scores[\"two\", \"two\"] / sqrt(2)\n"
    "    say: Nobody asked for scaled scores.\n"
    "  - is: sum(Q[1] + K[1])\n"
    "    say: You added. What does a dot product of `= Q[1]` do first?\n" LESSON_ANSWER_END
        CHOICE_QUESTION "## The weights\n"
    "\n"
    "Softmax makes weights of them.\n"
    "\n"
    "```attn type\n"
    "weights = softmax(scores)\n"
    "\n"
    "chance = rand(2)  # caf\xC3\xA9\n"
    "heat weights\n"
    "```\n"
    "\n"
    "Now they are there.\n"
    "\n"
    "```attn\n"
    "more = chance + rand(2)\n"
    "```\n"
    "\n" MATRIX_QUESTION FORMULA_QUESTION ORDER_QUESTION "## The end\n"
    "\n"
    "```attn\n"
    "last = weights[0] + rand(2)\n"
    "```\n"
    "\n" GUESS_QUESTION "### A pick\n"
    "\n"
    "Which way?\n"
    "\n"
    "1. Up\n"
    "2. Down\n"
    "\n" LESSON_ANSWER "kind: predict\n"
    "answer: 2\n"
    "because: It falls.\n"
    "hints:\n"
    "  - Look down.\n" LESSON_ANSWER_END OWN_QUESTION "### In C\n"
    "\n"
    "Write it.\n"
    "\n"
    "<details><summary>For you</summary>\n"
    "\n"
    "```yaml\n"
    "kind: exercise\n"
    "exercise: softmax-rows\n"
    "because: Well done.\n" LESSON_ANSWER_END "## Offers\n"
    "\n"
    "One more to type.\n"
    "\n"
    "```attn type\n"
    "tail = rand(1)\n"
    "```\n"
    "\n"
    "That was all.\n";

/* Places. */

void place_write(const struct place *place, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    assert_int_equal(folder_make_parents(path, false), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

void place_link_edits(const struct place *place)
{
    char from[512], to[256];
    snprintf(from, sizeof from, "%s/assets/edits.yaml", getenv("ATTN_DATA_DIR"));
    snprintf(to, sizeof to, "%s/assets/edits.yaml", place->folder);
    assert_int_equal(folder_make_parents(to, false), 0);
    assert_int_equal(symlink(from, to), 0);
}

void place_reopen(struct place *place, bool remembers)
{
    progress_close(place->progress);
    /* a folder is no file */
    place->progress = progress_open(remembers ? place->file : place->folder);
    assert_non_null(place->progress);
    assert_int_equal(progress_problem(place->progress) == NULL, remembers);
}

void place_open(struct place *place)
{
    *place = (struct place){.progress = NULL};
    snprintf(place->folder, sizeof place->folder, "/tmp/attn-course-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->lesson, sizeof place->lesson, "%s/lessons/02-every.md", place->folder);
    snprintf(place->file, sizeof place->file, "%s/progress.db", place->folder);
    place_write(place, "lessons/02-every.md", course_lesson);
    place_reopen(place, true);
}

void place_close(struct place *place)
{
    char command[256];
    progress_close(place->progress);
    snprintf(command, sizeof command, "rm -rf '%s'", place->folder);
    assert_int_equal(system(command), 0); /* NOLINT: a name of our own */
}

long place_number(const struct place *place, const char *sql)
{
    sqlite3 *file;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(place->file, &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    long number = (long)sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(file);
    return number;
}

static void limit_files(rlim_t size)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

void place_fill_disk(const struct place *place)
{
    struct stat info;
    assert_int_equal(stat(place->file, &info), 0);
    signal(SIGXFSZ, SIG_IGN);
    limit_files((rlim_t)info.st_size);
}

void place_free_disk(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit_files(limit.rlim_max);
}

/* Sessions. */

static void describe_labels(const struct node *node, struct text *text)
{
    for (unsigned axis = 0; axis < node->value.n_axes; axis++)
        for (size_t i = 0; node->labels[axis] != NULL && i < node->value.shape[axis]; i++)
            text_format(text, " '%s'", labels_name(node->labels[axis], i));
}

static void describe_value(const struct value *value, struct text *text)
{
    char words[120], shape[TENSOR_SHAPE_TEXT];
    if (value->kind == VALUE_NODE) {
        const struct tensor *x = &value->as.node->value;
        text_format(text, "%s%s", tensor_shape_text(x, shape), x->is_bool ? " bool" : "");
        for (size_t i = 0; i < tensor_size(x) && i < 100; i++)
            text_format(text, " %a", (double)tensor_at_position(x, i));
        describe_labels(value->as.node, text);
    } else if (value->kind == VALUE_FUNCTION) {
        text_put(text, value->as.function->source);
    } else {
        text_put(text, value_describe(value, words, sizeof words));
    }
    if (value->kind == VALUE_LIST)
        for (size_t i = 0; i < value->as.list->n; i++) {
            text_put(text, "; ");
            describe_value(&value->as.list->items[i], text);
        }
    text_char(text, '\n');
}

static void describe_change(const struct change *change, struct text *text)
{
    text_format(text, "change of %zu\n", change->n);
    for (size_t i = 0; i < change->n; i++) {
        text_format(text, "  %s: ", change->items[i].name);
        describe_value(&change->items[i].value, text);
    }
}

void session_describe(const struct session *session, struct text *text)
{
    const struct settings *settings = &session->settings;
    struct random random = session->random;
    for (size_t i = 0; i < session->names.n_variables; i++) {
        const struct variable *variable = &session->names.variables[i];
        if (variable->value.kind == VALUE_ABSENT)
            continue;
        text_format(text, "%s = ", variable->name);
        describe_value(&variable->value, text);
    }
    describe_change(&session->whatif.pending, text);
    for (size_t i = 0; i < session->whatif.n_undo; i++)
        describe_change(&session->whatif.undo[i], text);
    text_format(text, "random %u %a;", random.has_spare,
                random.has_spare ? random.spare_normal : 0);
    for (unsigned i = 0; i < 4; i++)
        text_format(text, " %u", random_word(&random));
    text_format(text, "\nsettings %d %zu %d %d %d %d\nscript:\n%s", settings->digits,
                settings->width_cols, settings->ascii, (int)settings->colours, settings->echo,
                settings->no_files, text_string(&session->script));
    assert_false(text->failed);
}

/* Texts. */

char *text_with(const char *text, const char *old, const char *new)
{
    const char *place = strstr(text, old);
    if (place == NULL || strstr(place + 1, old) != NULL)
        fail_msg("'%s' must be there once", old);
    size_t size = strlen(text) - strlen(old) + strlen(new) + 1;
    char *made = malloc(size);
    assert_non_null(made);
    snprintf(made, size, "%.*s%s%s", (int)(place - text), text, new, place + strlen(old));
    return made;
}

void doc_check_lines(const struct doc *doc, size_t width_cols, bool ascii, struct text *out)
{
    size_t begin = out->size;
    assert_false(doc->failed);
    doc_to_plain(doc, out);
    assert_false(out->failed);
    for (size_t i = 0; width_cols > 0 && i < doc->n_lines; i++)
        if (doc_line_width(doc, i) > width_cols)
            fail_msg("line %zu is wider than %zu:\n%s", i, width_cols, text_string(out) + begin);
    for (const char *c = text_string(out) + begin; ascii && *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            fail_msg("not ASCII: %s", c);
}
