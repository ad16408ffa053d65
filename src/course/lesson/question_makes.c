/* The result of an answer: an expression, computed with the answer put in. */
#include "course/lesson/question_internal.h"

#include <math.h>

#include "course/lesson/page.h"
#include "course/lesson/prose_values_internal.h"
#include "graph/node.h"
#include "lang/session/value_show.h"
#include "tensor/tensor.h"

enum { SAID_NUMBERS_MAX = 8 }; /* more are shown as a table */

static const char given_name[] = "given"; /* the name of the answer's matrix in `makes` */

/* given = [[1, 2], [3, 4]], as numbers: names that the learner computed them from may mean
 * something else in the lesson's session. */
static void write_given(const struct tensor *x, unsigned axis, size_t *at, struct text *out)
{
    if (axis == x->n_axes) {
        double number = (double)tensor_at_position(x, (*at)++);
        if (isfinite(number))
            text_format(out, "%.9g", number);
        else
            text_put(out, isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
        return;
    }
    text_char(out, '[');
    for (size_t i = 0; i < x->shape[axis]; i++) {
        text_put(out, i > 0 ? ", " : "");
        write_given(x, axis + 1, at, out);
    }
    text_char(out, ']');
}

/* The lines that put the answer in. */
static bool write_lines(const struct question *question, const struct question_sessions *sessions,
                        const char *typed, struct text *lines, struct error *reterr)
{
    size_t at = 0;
    if (question->kind == QUESTION_CHANGE)
        return changes_read(question, sessions, typed, lines, reterr);
    struct node *given = answer_peek(sessions->learner, NULL, typed, reterr);
    if (given == NULL)
        return false;
    text_format(lines, "%s = ", given_name);
    write_given(&given->value, 0, &at, lines);
    text_char(lines, '\n');
    node_free(given);
    return !lines->failed || error_memory(reterr, "an answer");
}

static bool show_value(const struct question *question, struct session *session,
                       const struct value *value, struct doc *out, struct error *reterr)
{
    struct text text = {0};
    size_t width = session->settings.width_cols;
    /* The result of a change has a name; the result of a matrix is made from `given`, which nobody
     * typed. */
    const char *expression = question->kind == QUESTION_CHANGE ? question->makes.text : "";
    bool is_short =
        value->kind != VALUE_NODE || (value->as.node->value.n_axes < 2 &&
                                      tensor_size(&value->as.node->value) <= SAID_NUMBERS_MAX);
    bool ok = true;
    if (is_short && prose_value_say(session, value, &text, reterr))
        words_show(out, STYLE_PLAIN, width, "That makes %s%s%s.", expression,
                   expression[0] != '\0' ? " = " : "", text_string(&text));
    else if (is_short)
        ok = false;
    else
        words_show(out, STYLE_PLAIN, width, "That makes%s%s:", expression[0] != '\0' ? " " : "",
                   expression);
    if (ok && !is_short)
        ok = value_show(&session->settings, value, out, reterr);
    ok = ok && (!text.failed || error_memory(reterr, "an answer"));
    text_release(&text);
    return ok && doc_check(out, reterr);
}

bool question_makes(const struct question *question, const struct question_sessions *sessions,
                    const char *typed, struct doc *out, struct error *reterr)
{
    struct text lines = {0};
    struct value value = {.kind = VALUE_ABSENT};
    if (question->makes.text == NULL)
        return true;
    bool ok =
        write_lines(question, sessions, typed, &lines, reterr) &&
        session_peek(sessions->lesson, text_string(&lines), question->makes.text, &value, reterr) &&
        show_value(question, sessions->lesson, &value, out, reterr);
    value_release(&value);
    text_release(&lines);
    return ok;
}
