/* See question.h. Each kind of answer has a file of its own. */
#include "course/lesson/question_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "course/lesson/prose_values_internal.h"

static question_judge_kind *const judges[QUESTION_KINDS] = {
    [QUESTION_NUMBER] = question_judge_number,   [QUESTION_CHOICE] = question_judge_choice,
    [QUESTION_MATRIX] = question_judge_matrix,   [QUESTION_ORDER] = question_judge_order,
    [QUESTION_FORMULA] = question_judge_formula, [QUESTION_CELL] = question_judge_cell_kind,
    [QUESTION_MASK] = question_judge_mask,       [QUESTION_CHANGE] = question_judge_change,
};

bool question_judge(const struct question *question, const struct question_sessions *sessions,
                    const char *typed, struct judged *ret, struct error *reterr)
{
    struct judged judged = {0};
    char *plain = answer_with_plain_signs(typed);
    if (plain == NULL)
        return error_memory(reterr, "an answer");
    bool ok = question_check_without(question, sessions->learner, plain, reterr) &&
              judges[question->kind](question, sessions, plain, &judged, reterr);
    const struct mistaken mistaken = {question, sessions, plain, NULL, 0};
    if (ok && (question->kind == QUESTION_NUMBER || question->kind == QUESTION_FORMULA))
        ok = question_name_mistake(&mistaken, &judged, reterr);
    free(plain);
    if (ok)
        *ret = judged;
    return ok;
}

bool question_check_guess(const struct question *question, const struct question_sessions *sessions,
                          const char *typed, struct guess *ret, struct error *reterr)
{
    struct judged judged = {0};
    struct typed_number guess;
    float right;
    if (question->n_options > 0) {
        if (!question_judge_choice(question, sessions, typed, &judged, reterr))
            return false;
        *ret = (struct guess){.is_right = judged.right};
        return true;
    }
    if (!answer_peek_typed(sessions->learner, typed, &guess, reterr) ||
        !answer_peek_number(sessions->lesson, question->answer.text, &right, reterr))
        return false;
    typed_number_settle_percent(&guess, question, right);
    *ret =
        (struct guess){.is_right = number_is_near(guess.value, right, question_within(question)) ||
                                   typed_number_is_rounded(&guess, right)};
    if (!ret->is_right)
        typed_number_remark(&guess, right, ret);
    return true;
}

/* ---- telling ---- */

static bool tell_value(const struct question *question, const struct question_sessions *sessions,
                       struct text *out, struct error *reterr)
{
    struct value value;
    const char *expression = question->answer.text;
    if (!session_peek(sessions->lesson, NULL, expression, &value, reterr))
        return false;
    text_put(out, "**");
    bool ok = prose_value_say(sessions->lesson, &value, out, reterr);
    text_put(out, "**");
    bool is_formula = expression[strspn(expression, "0123456789.-, []\n")] != '\0';
    /* It says more than its value does; a guess only needs its value. */
    if (ok && is_formula && question->kind != QUESTION_PREDICT)
        text_format(out, ", from `%s`", expression);
    value_release(&value);
    return ok;
}

static bool tell_choices(const struct question *question, const struct question_sessions *sessions,
                         struct text *out, struct error *reterr)
{
    struct option_numbers right;
    if (!option_numbers_read(question, sessions->lesson, question->answer.text, &right, reterr))
        return false;
    for (size_t i = 0; i < right.n; i++) {
        const struct lesson_text *option = &question->options[right.items[i] - 1];
        text_format(out, "%s%s%u: ", i > 0 ? "\n" : "", right.n > 1 ? "- " : "", right.items[i]);
        if (!prose_values_fill(sessions->lesson, option->text, out, NULL, reterr))
            return false;
    }
    return true;
}

bool question_tell(const struct question *question, const struct question_sessions *sessions,
                   struct text *out, struct error *reterr)
{
    size_t size = out->size;
    bool ok;
    if (question->kind == QUESTION_FORMULA) {
        text_format(out, "`%s`", question->answer.text);
        ok = true;
    } else if (question->kind == QUESTION_CHANGE) {
        text_format(out, "for example `%s`", question->answer.text);
        ok = true;
    } else if (question->kind == QUESTION_CELL) {
        ok = question_tell_cell(question, sessions, out, reterr);
    } else {
        ok = question->n_options > 0 ? tell_choices(question, sessions, out, reterr)
                                     : tell_value(question, sessions, out, reterr);
    }
    ok = ok && (!out->failed || error_memory(reterr, "an answer"));
    if (!ok)
        text_shrink(out, size);
    return ok;
}
