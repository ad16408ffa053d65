/* Numbers as answers: how near they are, and what is said about them. */
#include "course/lesson/question_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/node.h"
#include "lang/value/literal.h"
#include "tensor/tensor.h"

double question_within(const struct question *question)
{
    if (question->within > 0)
        return question->within;
    return question->kind == QUESTION_FORMULA ? FORMULA_WITHIN : QUESTION_WITHIN;
}

/* What is right up to the last digit that was asked for must not fail by the last bit of a float.
 */
bool number_is_near(float given, float right, double within)
{
    if (isnan(given) || isnan(right))
        return isnan(given) && isnan(right);
    if (isinf(given) || isinf(right))
        return given == right;
    double scale = fmax(1, fabs((double)right));
    return fabs((double)given - (double)right) <= within * scale * 1.001;
}

size_t numbers_count_far(const struct tensor *a, const struct tensor *b, double within,
                         size_t *ret_first)
{
    size_t n = 0;
    for (size_t i = tensor_size(a); i-- > 0;)
        if (!number_is_near(tensor_at_position(a, i), tensor_at_position(b, i), within)) {
            *ret_first = i;
            n++;
        }
    return n;
}

bool numbers_are_near(const struct tensor *a, const struct tensor *b, double within)
{
    size_t first;
    return tensor_same_shape(a, b) && numbers_count_far(a, b, within, &first) == 0;
}

struct node *answer_peek(struct session *session, const char *lines, const char *expression,
                         struct error *reterr)
{
    struct value value;
    if (!session_peek(session, lines, expression, &value, reterr))
        return NULL;
    struct node *node = value_to_node(&session->graph, &value, "an answer", reterr);
    value_release(&value);
    return node;
}

bool answer_peek_number(struct session *session, const char *expression, float *ret,
                        struct error *reterr)
{
    char shape[TENSOR_SHAPE_TEXT];
    struct node *node = answer_peek(session, NULL, expression, reterr);
    if (node == NULL)
        return false;
    bool ok = tensor_size(&node->value) == 1;
    if (ok)
        *ret = tensor_at_position(&node->value, 0);
    else
        error_set(reterr, ERR_SHAPE,
                  "a single number is asked for here, and this is a tensor of %s",
                  tensor_shape_text(&node->value, shape));
    node_free(node);
    return ok;
}

/* Decimals of a number as typed, or -1 for what is not a number. */
static int decimals_of(const char *typed)
{
    const char *at = typed + strspn(typed, " \t-+");
    size_t whole = strspn(at, "0123456789");
    at += whole;
    size_t decimals = *at == '.' ? strspn(at + 1, "0123456789") : 0;
    at += *at == '.' ? decimals + 1 : 0;
    at += strspn(at, " \t\r\n");
    return whole + decimals > 0 && *at == '\0' ? (int)decimals : -1;
}

/* Says so when a number is right as far as it goes, and says something: 0 for 0.12 does not. */
void judged_note_rounding(const char *typed, float given, float right, struct judged *judged)
{
    int decimals = decimals_of(typed);
    if (decimals < 1 || !isfinite(right))
        return;
    double half = 0.5 * pow(10, -decimals) * 1.001;
    judged->is_unfinished =
        2 * half <= fabs((double)right) && fabs((double)given - (double)right) <= half;
    if (judged->is_unfinished)
        snprintf(judged->note, sizeof judged->note,
                 "That is right as far as it goes. Give some more digits.");
}

bool question_judge_number(const struct question *question,
                           const struct question_sessions *sessions, const char *typed,
                           struct judged *judged, struct error *reterr)
{
    float given, right, wrong;
    double within = question_within(question);
    if (!answer_peek_number(sessions->learner, typed, &given, reterr) ||
        !answer_peek_number(sessions->lesson, question->answer.text, &right, reterr))
        return false;
    judged->right = number_is_near(given, right, within);
    for (size_t i = 0; !judged->right && judged->foreseen == NULL && i < question->n_wrong; i++) {
        if (!answer_peek_number(sessions->lesson, question->wrong[i].is.text, &wrong, reterr))
            return false;
        if (number_is_near(given, wrong, within))
            judged->foreseen = &question->wrong[i];
    }
    if (!judged->right && judged->foreseen == NULL)
        judged_note_rounding(typed, given, right, judged);
    return true;
}
