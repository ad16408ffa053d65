/* Masks as answers: a matrix of yes and no. */
#include "course/lesson/question_internal.h"

#include <stdio.h>
#include <string.h>

#include "graph/node.h"
#include "tensor/tensor.h"

struct node *mask_answer(const struct question *question, struct session *session,
                         struct error *reterr)
{
    struct node *mask = answer_peek(session, NULL, question->answer.text, reterr);
    bool fits = mask != NULL && mask->value.n_axes == 2 && mask->value.shape[0] <= MASK_MAX_ROWS &&
                mask->value.shape[1] <= MASK_MAX_ROWS && tensor_size(&mask->value) > 0;
    if (mask == NULL || (fits && mask->value.is_bool))
        return mask;
    if (fits)
        error_set(
            reterr, ERR_TYPE,
            "answer: a mask of True and False is expected; write a comparison, such as M > 0");
    else
        error_set(reterr, ERR_SHAPE, "answer: a mask of at most %d rows and columns is expected",
                  (int)MASK_MAX_ROWS);
    node_free(mask);
    return NULL;
}

/* Rows as one draws them, 100 110 111: their cells in order. *ret_drawn is false for other
 * texts. */
static bool read_rows(const char *typed, const struct node *mask, bool cells[MASK_MAX_CELLS],
                      bool *ret_drawn, struct error *reterr)
{
    char shape[TENSOR_SHAPE_TEXT];
    size_t n = 0, wanted = tensor_size(&mask->value);
    *ret_drawn = typed[0] != '\0' && typed[strspn(typed, "01 \t\r\n,;/[]")] == '\0';
    for (const char *at = typed; *ret_drawn && *at != '\0'; at++)
        if (*at == '0' || *at == '1') {
            if (n < wanted)
                cells[n] = *at == '1';
            n++;
        }
    return !*ret_drawn || n == wanted ||
           error_set(reterr, ERR_SHAPE, "a mask of %s is asked for: %zu cells, and these are %zu",
                     tensor_shape_text(&mask->value, shape), wanted, n);
}

/* The same by an expression. */
static bool compute_rows(struct session *session, const char *typed, const struct node *mask,
                         bool cells[MASK_MAX_CELLS], struct error *reterr)
{
    char wanted[TENSOR_SHAPE_TEXT], is[TENSOR_SHAPE_TEXT];
    struct node *given = answer_peek(session, NULL, typed, reterr);
    bool ok = given != NULL;
    if (ok && !tensor_same_shape(&given->value, &mask->value))
        ok = error_set(
            reterr, ERR_SHAPE, "a mask of %s is asked for, and this is %s; a row is written as 110",
            tensor_shape_text(&mask->value, wanted), tensor_shape_text(&given->value, is));
    for (size_t i = 0; ok && i < tensor_size(&mask->value); i++) {
        float number = tensor_at_position(&given->value, i);
        cells[i] = number != 0;
        if (number != 0 && number != 1)
            ok = error_set(reterr, ERR_RANGE,
                           "the cells of this mask are 1 (or True) and 0 (or False)");
    }
    node_free(given);
    return ok;
}

/* How many cells of the mask are otherwise; *ret_first is the first of them. */
static size_t count_other(const bool *cells, const struct node *mask, size_t *ret_first)
{
    size_t n = 0;
    for (size_t i = tensor_size(&mask->value); i-- > 0;)
        if (cells[i] != (tensor_at_position(&mask->value, i) != 0)) {
            *ret_first = i;
            n++;
        }
    return n;
}

static bool find_wrong_mask(const struct question *question, struct session *session,
                            const bool *cells, const struct node *mask, struct judged *judged,
                            struct error *reterr)
{
    for (size_t i = 0; judged->foreseen == NULL && i < question->n_wrong; i++) {
        size_t first;
        struct node *wrong = answer_peek(session, NULL, question->wrong[i].is.text, reterr);
        if (wrong == NULL)
            return false;
        bool fits = tensor_same_shape(&wrong->value, &mask->value);
        if (fits && count_other(cells, wrong, &first) == 0)
            judged->foreseen = &question->wrong[i];
        node_free(wrong);
        if (!fits)
            return error_set(reterr, ERR_SHAPE,
                             "a wrong answer has another shape than the right one");
    }
    return true;
}

bool question_judge_mask(const struct question *question, const struct question_sessions *sessions,
                         const char *typed, struct judged *judged, struct error *reterr)
{
    bool cells[MASK_MAX_CELLS];
    size_t first = 0;
    struct node *mask = mask_answer(question, sessions->lesson, reterr);
    bool drawn = false;
    bool ok = mask != NULL && read_rows(typed, mask, cells, &drawn, reterr) &&
              (drawn || compute_rows(sessions->learner, typed, mask, cells, reterr));
    size_t n = ok ? count_other(cells, mask, &first) : 0;
    judged->right = ok && n == 0;
    if (ok && !judged->right) {
        snprintf(judged->note, sizeof judged->note, "%zu of the %zu cells %s wrong.", n,
                 tensor_size(&mask->value), n == 1 ? "is" : "are");
        ok = judged_note_where(mask, first, n, judged, reterr) &&
             find_wrong_mask(question, sessions->lesson, cells, mask, judged, reterr);
    }
    node_free(mask);
    return ok;
}
