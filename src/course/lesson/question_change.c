/* Changes as answers: a number of the lesson gets another value, everything that depends on it is
 * computed again, and then a condition must hold. */
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <stdlib.h>

#include "course/lesson/question_internal.h"
#include "base/array.h"
#include "graph/node.h"
#include "lang/syntax/parser.h"
#include "tensor/tensor.h"

/* ---- question edits ---- */

/* For lint: formulas that differ from the right one by one slip, and whether fresh inputs tell them
 * from it. To tell > from >= two compared numbers must be equal, which random numbers never are; to
 * tell a name from its number the number must be drawn, with another value each time. */

static const struct {
    enum op_kind op;
    const char *sign, *other;
} comparisons[] = {{OP_LT, "<", "<="}, {OP_LE, "<=", "<"}, {OP_GT, ">", ">="}, {OP_GE, ">=", ">"}};

/* The replacements to try for each part of an answer, until one passes. */
struct search {
    const struct question *question;
    const struct question_sessions *sessions;
    struct text edited;
    enum question_slip slip;
    bool ok;
    struct error *reterr;
};

/* Judges the answer with other bytes in the place of [begin, end). */
static void try_edited(struct search *search, size_t begin, size_t end, const char *other,
                       enum question_slip slip)
{
    const char *answer = search->question->answer.text;
    struct judged judged = {0};
    struct error error; /* a number in place of a size may not fit, and that tells it */
    text_clear(&search->edited);
    text_add(&search->edited, answer, begin);
    text_put(&search->edited, other);
    text_put(&search->edited, answer + end);
    search->ok = !search->edited.failed || error_memory(search->reterr, "a formula");
    if (search->ok && !question_judge_formula(search->question, search->sessions,
                                              text_string(&search->edited), &judged, &error))
        search->ok =
            !error_is_stop(&error) || error_set(search->reterr, error.kind, "%s", error.text);
    if (search->ok && judged.right)
        search->slip = slip;
}

static void try_comparison(struct search *search, const struct expr *expr)
{
    const char *answer = search->question->answer.text;
    for (size_t i = 0; i < COUNT_OF(comparisons); i++) {
        if (expr->as.operation.op != comparisons[i].op)
            continue;
        size_t begin = expr->as.operation.left->end;
        begin += strcspn(answer + begin, "<>"); /* there may be a bracket before it */
        try_edited(search, begin, begin + strlen(comparisons[i].sign), comparisons[i].other,
                   QUESTION_SLIP_COMPARISON);
        return;
    }
}

/* Whether a line of `draw` gives this name a value. */
static bool is_drawn(const struct search *search, const struct expr *name)
{
    bool found = false;
    for (unsigned i = 0; !found && i < search->question->n_draw; i++) {
        struct arena arena = {0};
        struct statement *statement = NULL;
        struct error ignored;
        const char *line = search->question->draw[i].text;
        (void)parser_parse_line(&arena, search->sessions->lesson->find_command, line, strlen(line),
                                &statement, &ignored);
        for (; statement != NULL; statement = statement->next)
            for (size_t k = 0; statement->kind == STATEMENT_ASSIGN && k < statement->n_targets; k++)
                found = found || (statement->targets[k]->kind == EXPR_NAME &&
                                  expr_same_word(statement->targets[k], name));
        arena_release(&arena);
    }
    return found;
}

/* The number that a name is with the first fresh inputs; false for a tensor of several. */
static bool find_number(const struct search *search, const char *name, float *ret)
{
    struct text lines = {0};
    struct error ignored;
    struct node *node =
        question_trial_lines(search->question, 0, &lines, &ignored)
            ? answer_peek(search->sessions->lesson, text_string(&lines), name, &ignored)
            : NULL;
    bool is_number = node != NULL && tensor_size(&node->value) == 1;
    if (is_number)
        *ret = tensor_at_position(&node->value, 0);
    node_free(node);
    text_release(&lines);
    return is_number;
}

static void try_number(struct search *search, const struct expr *expr)
{
    char name[LESSON_NAME_BYTES], written[32];
    float number;
    if (expr->as.text.size >= sizeof name || !is_drawn(search, expr))
        return;
    memcpy(name, expr->as.text.bytes, expr->as.text.size);
    name[expr->as.text.size] = '\0';
    if (!find_number(search, name, &number))
        return;
    snprintf(written, sizeof written, "%.9g", (double)number);
    try_edited(search, expr->begin, expr->end, written, QUESTION_SLIP_NUMBER);
}

static void try_part(const struct expr *expr, void *context)
{
    struct search *search = context;
    if (!search->ok || search->slip != QUESTION_SLIP_NONE)
        return;
    if (expr->kind == EXPR_BINARY)
        try_comparison(search, expr);
    else if (expr->kind == EXPR_NAME)
        try_number(search, expr);
    if (search->ok && search->slip == QUESTION_SLIP_NONE)
        expr_each_part(expr, try_part, search);
}

bool question_accepts_slip(const struct question *question,
                           const struct question_sessions *sessions, struct text *edited,
                           enum question_slip *ret, struct error *reterr)
{
    struct arena arena = {0};
    struct statement *statement = NULL;
    const char *answer = question->answer.text;
    struct search search = {.question = question, .sessions = sessions, .reterr = reterr};
    search.ok = parser_parse_line(&arena, sessions->lesson->find_command, answer, strlen(answer),
                                  &statement, reterr);
    if (search.ok && statement != NULL && statement->kind == STATEMENT_EXPRESSION)
        try_part(statement->value, &search);
    arena_release(&arena);
    if (search.ok && search.slip != QUESTION_SLIP_NONE)
        text_put(edited, text_string(&search.edited));
    text_release(&search.edited);
    if (search.ok)
        *ret = search.slip;
    return search.ok && (!edited->failed || error_memory(reterr, "a formula"));
}

/* ---- question change ---- */

/* Numbers of the lesson that get other values. */
struct changes {
    struct question_inputs inputs; /* the numbers that may change */
    struct text lines;             /* of the language, that make them */
    size_t n;
    struct {
        const struct question_input *input;
        size_t position;
    } items[QUESTION_MAX_CHANGES];
};

unsigned question_most_changes(const struct question *question)
{
    unsigned most = question->most > 0 ? question->most : 1;
    return most < QUESTION_MAX_CHANGES ? most : QUESTION_MAX_CHANGES;
}

/* ---- the numbers that may change ---- */

static struct question_input *find_input(const struct question_inputs *inputs, const char *name,
                                         size_t size)
{
    for (size_t i = 0; i < inputs->n; i++)
        if (text_equals(name, size, inputs->items[i].name))
            return &inputs->items[i];
    return NULL;
}

/* The input that an entry of `change` is about, X of X[0], or a new one behind the others. NULL
 * with *reterr. */
static struct question_input *take_input(struct session *session, const char *entry,
                                         struct question_inputs *inputs, struct error *reterr)
{
    size_t size = strcspn(entry, "[ ");
    struct question_input *known = find_input(inputs, entry, size), *input;
    if (known != NULL)
        return known;
    input = &inputs->items[inputs->n];
    snprintf(input->name, sizeof input->name, "%.*s", (int)size, entry);
    input->value = answer_peek(session, NULL, input->name, reterr);
    if (input->value == NULL)
        return NULL;
    input->may_change = calloc(tensor_size(&input->value->value) + 1, sizeof *input->may_change);
    inputs->n++;
    if (input->may_change != NULL)
        return input;
    error_memory(reterr, "a question's numbers");
    return NULL;
}

/* Notes which numbers of the input an entry of `change` means: those of its index, or all. */
static bool note_may_change(struct session *session, const char *entry,
                            struct question_input *input, struct error *reterr)
{
    const char *open = strchr(entry, '['), *close = strrchr(entry, ']');
    if (open == NULL || close == NULL) {
        for (size_t i = 0; i < tensor_size(&input->value->value); i++)
            input->may_change[i] = true;
        return true;
    }
    struct node *places = cell_positions(session, input->value, input->name, open + 1,
                                         (size_t)(close - open - 1), reterr);
    for (size_t i = 0; places != NULL && i < tensor_size(&places->value); i++)
        input->may_change[(size_t)tensor_at_position(&places->value, i)] = true;
    bool ok = places != NULL;
    node_free(places);
    return ok;
}

bool question_inputs(const struct question *question, const struct question_sessions *sessions,
                     struct question_inputs *ret, struct error *reterr)
{
    struct question_inputs inputs = {.n = 0};
    *ret = inputs;
    inputs.items = calloc(question->n_change + 1, sizeof *inputs.items);
    bool ok = inputs.items != NULL || error_memory(reterr, "a question's numbers");
    for (unsigned i = 0; ok && i < question->n_change; i++) {
        const char *entry = question->change[i].text;
        struct question_input *input = take_input(sessions->lesson, entry, &inputs, reterr);
        ok = input != NULL && note_may_change(sessions->lesson, entry, input, reterr);
    }
    if (ok)
        *ret = inputs;
    else
        question_inputs_release(&inputs);
    return ok;
}

void question_inputs_release(struct question_inputs *inputs)
{
    for (size_t i = 0; i < inputs->n; i++) {
        node_free(inputs->items[i].value);
        free(inputs->items[i].may_change);
    }
    free(inputs->items);
    *inputs = (struct question_inputs){.n = 0};
}

/* ---- reading changes ---- */

static bool refuse(const struct question *question, const char *name, struct error *reterr)
{
    struct text names = {0};
    for (unsigned i = 0; i < question->n_change; i++)
        text_format(&names, "%s%s", i > 0 ? ", " : "", question->change[i].text);
    if (names.failed)
        error_memory(reterr, "a change");
    else
        error_set(reterr, ERR_NAME, "%s: a number of %s is to be changed here", name,
                  text_string(&names));
    text_release(&names);
    return false;
}

/* The cell that NAME[INDEX] means; without an index the only number of a tensor without axes. */
static bool find_position(struct session *session, const struct node *input, const char *name,
                          const char *index, size_t size, size_t *ret, struct error *reterr)
{
    *ret = 0;
    if (size == 0 && input->value.n_axes == 0)
        return true;
    if (size < 2)
        return error_set(reterr, ERR_SHAPE, "%s: one number of it is to be changed, such as %s[0]",
                         name, name);
    struct node *place = cell_positions(session, input, name, index + 1, size - 2, reterr);
    bool ok = place != NULL;
    if (!ok && reterr != NULL && reterr->end > reterr->begin) {
        reterr->begin++;
        reterr->end++;
    }
    if (ok && tensor_size(&place->value) != 1)
        ok = error_set(reterr, ERR_SHAPE, "%s%.*s: that is more than one number", name, (int)size,
                       index);
    if (ok)
        *ret = (size_t)tensor_at_position(&place->value, 0);
    node_free(place);
    return ok;
}

/* Notes one change, and the line of the language that makes it. */
static bool add_change(const struct question *question, const struct question_input *input,
                       size_t position, float number, struct changes *changes, struct error *reterr)
{
    size_t index[TENSOR_MAX_AXES];
    const struct tensor *x = &input->value->value;
    unsigned most = question_most_changes(question);
    for (size_t i = 0; i < changes->n; i++)
        if (changes->items[i].input == input && changes->items[i].position == position)
            return error_set(reterr, ERR_RANGE, "%s: this number is changed twice", input->name);
    if (changes->n >= most)
        return error_set(reterr, ERR_LIMIT, "at most %u number%s may change here", most,
                         most == 1 ? "" : "s");
    if (number_is_near(number, tensor_at_position(x, position), 0))
        return error_set(reterr, ERR_RANGE, "%s: that number is there already", input->name);
    tensor_index_of(x, position, index);
    text_format(&changes->lines, "whatif %s", input->name);
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        text_format(&changes->lines, "%s%zu", axis == 0 ? "[" : ", ", index[axis]);
    text_format(&changes->lines, "%s = %.9g\nkeep\n", x->n_axes > 0 ? "]" : "", (double)number);
    changes->items[changes->n].input = input;
    changes->items[changes->n++].position = position;
    return !changes->lines.failed || error_memory(reterr, "a change");
}

/* The parts of NAME[INDEX] = VALUE. */
struct assignment {
    char name[LESSON_NAME_BYTES];
    const char *index; /* with its brackets */
    size_t index_size;
    char value[LESSON_NAME_BYTES * 4];
};

static bool read_assignment(const struct statement *statement, const char *source,
                            struct assignment *ret, struct error *reterr)
{
    const struct expr *target = statement->n_targets == 1 ? statement->targets[0] : NULL;
    bool is_index = target != NULL && target->kind == EXPR_INDEX && target->object != NULL &&
                    target->object->kind == EXPR_NAME;
    bool fits = statement->kind == STATEMENT_ASSIGN &&
                (is_index || (target != NULL && target->kind == EXPR_NAME)) &&
                source[target->end + strspn(source + target->end, " \t")] == '=';
    const struct expr *name = is_index ? target->object : target;
    size_t value_size = fits ? statement->value->end - statement->value->begin : 0;
    if (!fits || name->as.text.size >= sizeof ret->name || value_size >= sizeof ret->value) {
        error_set(reterr, ERR_SYNTAX, "a change is expected, such as X[0, 1] = 2");
        return error_place(reterr, statement->begin, statement->end);
    }
    *ret = (struct assignment){.index = source + name->end, .index_size = target->end - name->end};
    memcpy(ret->name, name->as.text.bytes, name->as.text.size);
    memcpy(ret->value, source + statement->value->begin, value_size);
    return true;
}

static bool read_change(const struct question *question, const struct question_sessions *sessions,
                        const struct assignment *assignment, struct changes *changes,
                        struct error *reterr)
{
    size_t position;
    float number;
    const struct question_input *input =
        find_input(&changes->inputs, assignment->name, strlen(assignment->name));
    if (input == NULL)
        return refuse(question, assignment->name, reterr);
    if (!answer_peek_number(sessions->learner, assignment->value, &number, reterr)) {
        answer_advise(reterr);
        return false;
    }
    return find_position(sessions->lesson, input->value, input->name, assignment->index,
                         assignment->index_size, &position, reterr) &&
           (input->may_change[position] || refuse(question, input->name, reterr)) &&
           add_change(question, input, position, number, changes, reterr);
}

bool changes_read(const struct question *question, const struct question_sessions *sessions,
                  const char *typed, struct text *lines, struct error *reterr)
{
    static const char whatif[] = "whatif ";
    struct arena arena = {0};
    struct statement *statement = NULL;
    struct changes changes = {.n = 0};
    size_t skipped = strncmp(typed, whatif, sizeof whatif - 1) == 0 ? sizeof whatif - 1 : 0;
    const char *source = typed + skipped;
    bool ok = parser_parse_line(&arena, sessions->lesson->find_command, source, strlen(source),
                                &statement, reterr);
    if (ok && statement == NULL)
        ok = error_set(reterr, ERR_SYNTAX, "a change is expected, such as X[0, 1] = 2");
    ok = ok && question_inputs(question, sessions, &changes.inputs, reterr);
    for (; ok && statement != NULL; statement = statement->next) {
        struct assignment assignment = {.index = NULL};
        ok = read_assignment(statement, source, &assignment, reterr);
        if (ok && !read_change(question, sessions, &assignment, &changes, reterr)) {
            ok = false;
            if (reterr != NULL) {
                reterr->begin = reterr->end = 0;
                error_place(reterr, statement->begin, statement->end);
            }
        }
    }
    if (!ok && reterr != NULL && reterr->end > reterr->begin) {
        reterr->begin += skipped;
        reterr->end += skipped;
    }
    if (ok)
        text_put(lines, text_string(&changes.lines));
    ok = ok && (!lines->failed || error_memory(reterr, "a change"));
    text_release(&changes.lines);
    question_inputs_release(&changes.inputs);
    arena_release(&arena);
    return ok;
}

/* Whether a condition holds in the session after lines. */
static bool holds(struct session *session, const char *lines, const char *condition, bool *ret,
                  struct error *reterr)
{
    struct node *node = answer_peek(session, lines, condition, reterr);
    bool ok = node != NULL;
    if (ok && tensor_size(&node->value) != 1)
        ok = error_set(reterr, ERR_SHAPE, "a condition gives one True or False: %s", condition);
    if (ok) {
        float number = tensor_at_position(&node->value, 0);
        *ret = number != 0 && !isnan(number);
    }
    node_free(node);
    return ok;
}

bool question_judge_change(const struct question *question,
                           const struct question_sessions *sessions, const char *typed,
                           struct judged *judged, struct error *reterr)
{
    struct text lines = {0};
    bool ok =
        changes_read(question, sessions, typed, &lines, reterr) &&
        holds(sessions->lesson, text_string(&lines), question->holds.text, &judged->right, reterr);
    for (size_t i = 0; ok && !judged->right && judged->foreseen == NULL && i < question->n_wrong;
         i++) {
        bool is_this;
        ok = holds(sessions->lesson, text_string(&lines), question->wrong[i].is.text, &is_this,
                   reterr);
        if (ok && is_this)
            judged->foreseen = &question->wrong[i];
    }
    text_release(&lines);
    return ok;
}

bool question_holds_already(const struct question *question,
                            const struct question_sessions *sessions, bool *ret,
                            struct error *reterr)
{
    return holds(sessions->lesson, NULL, question->holds.text, ret, reterr);
}
