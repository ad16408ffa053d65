/* Formulas as answers: they are tried on fresh inputs. */
#include <assert.h>
#include <string.h>
#include <ctype.h>
#include <stdio.h>

#include "course/lesson/question_internal.h"
#include "base/array.h"
#include "lang/builtins/builtin.h"
#include "lang/syntax/parser.h"
#include "graph/node.h"
#include "tensor/tensor.h"

/* ---- question without ---- */

/* Things that a formula may not use: names of functions and variables, and operators, found in its
 * syntax tree. */

enum {
    STEPS_MAX = 100000, /* expressions that are looked at, in functions of the learner too */
    DEPTH_MAX = 5000,   /* expressions in each other; deeper ones are not computed either */
};

/* How operators are written, by their meaning. */
static const struct {
    const char *sign;
    enum op_kind op;
    enum operator meaning;
} signs[] = {
    {"@", OP_MATMUL, OPERATOR_PLAIN},  {"*", OP_MUL, OPERATOR_PLAIN},
    {"/", OP_DIV, OPERATOR_PLAIN},     {"//", OP_DIV, OPERATOR_FLOOR_DIVIDE},
    {"%", OP_DIV, OPERATOR_REMAINDER}, {"+", OP_ADD, OPERATOR_PLAIN},
    {"-", OP_SUB, OPERATOR_PLAIN},     {"-", OP_NEG, OPERATOR_PLAIN},
    {"**", OP_POW, OPERATOR_PLAIN},    {"<", OP_LT, OPERATOR_PLAIN},
    {"<=", OP_LE, OPERATOR_PLAIN},     {">", OP_GT, OPERATOR_PLAIN},
    {">=", OP_GE, OPERATOR_PLAIN},     {"==", OP_EQ, OPERATOR_PLAIN},
    {"!=", OP_NE, OPERATOR_PLAIN},     {"&", OP_AND, OPERATOR_PLAIN},
    {"|", OP_OR, OPERATOR_PLAIN},      {"~", OP_NOT, OPERATOR_PLAIN},
};

/* A walk through an expression, and the functions that it calls. */
struct walk {
    const struct question *question;
    const struct session *session;
    const struct statement *definition; /* of the function that is looked into; or NULL */
    const char *found;                  /* the word of `without` that is used; or NULL */
    const struct expr *place;           /* its use in the typed text */
    size_t n_steps, depth;
};

static const char *sign_of(const struct expr *expr)
{
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (signs[i].op == expr->as.operation.op && signs[i].meaning == expr->as.operation.meaning)
            return signs[i].sign;
    return "";
}

/* Operations with a name and a sign, or with two names. */
static const struct {
    const char *name, *other;
} twins[] = {{"matmul", "@"}, {"pow", "**"}, {"logical_not", "~"}, {"mT", "T"}};

/* One spelling for all of the same thing: "@" for matmul, mm and @. *size is that of word, and then
 * of the spelling. */
static const char *one_spelling(const char *word, size_t *size)
{
    const struct builtin *builtin = builtin_find(word, *size);
    if (builtin != NULL) {
        word = builtin->name;
        *size = strlen(word);
    }
    for (size_t i = 0; i < COUNT_OF(twins); i++)
        if (text_equals(word, *size, twins[i].name)) {
            *size = strlen(twins[i].other);
            return twins[i].other;
        }
    return word;
}

static bool is_same_thing(const char *used, size_t size, const char *word)
{
    size_t word_size = strlen(word);
    const char *a = one_spelling(used, &size), *b = one_spelling(word, &word_size);
    return size == word_size && memcmp(a, b, size) == 0;
}

/* The word of `without` that this expression itself uses; or NULL. */
static const char *word_used(const struct question *question, const struct expr *expr)
{
    bool is_operation = expr->kind == EXPR_BINARY || expr->kind == EXPR_UNARY;
    bool is_word = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    const char *used = is_operation ? sign_of(expr) : is_word ? expr->as.text.bytes : "";
    size_t size = is_word ? expr->as.text.size : strlen(used);
    for (unsigned i = 0; size > 0 && i < question->n_without; i++) {
        const char *word = question->without[i].text;
        assert(word != NULL);
        if (is_same_thing(used, size, word))
            return word;
    }
    return NULL;
}

static void look_in(struct walk *walk, const struct expr *expr, const struct expr *place);

/* Whether a name in the body of a function is one of its parameters, whatever it is called. */
static bool is_parameter(const struct walk *walk, const struct expr *expr)
{
    const struct statement *definition = walk->definition;
    for (size_t i = 1; definition != NULL && expr->kind == EXPR_NAME && i < definition->n_targets;
         i++)
        if (expr_same_word(definition->targets[i], expr))
            return true;
    return false;
}

/* A function of the learner's own uses what its body uses. */
static void look_in_function(struct walk *walk, const struct expr *name, const struct expr *place)
{
    const struct value *value =
        names_get(&walk->session->names, name->as.text.bytes, name->as.text.size);
    const struct statement *outer = walk->definition;
    if (value == NULL || value->kind != VALUE_FUNCTION)
        return;
    walk->definition = value->as.function->definition;
    look_in(walk, walk->definition->value, place);
    walk->definition = outer;
}

/* The parts of an expression, all at one place of the typed text. */
struct parts {
    struct walk *walk;
    const struct expr *place;
};

static void look_in_part(const struct expr *part, void *context)
{
    const struct parts *parts = context;
    look_in(parts->walk, part, parts->place);
}

/* Looks in expr and its parts. place: the expression of the typed text that it belongs to; NULL if
 * it was typed itself. */
static void look_in(struct walk *walk, const struct expr *expr, const struct expr *place)
{
    if (walk->found != NULL || walk->n_steps++ >= STEPS_MAX || walk->depth >= DEPTH_MAX ||
        is_parameter(walk, expr))
        return;
    place = place != NULL || expr->kind != EXPR_NAME ? place : expr;
    walk->found = word_used(walk->question, expr);
    if (walk->found != NULL) {
        walk->place = place != NULL ? place : expr;
        return;
    }
    walk->depth++;
    if (expr->kind == EXPR_NAME)
        look_in_function(walk, expr, place);
    expr_each_part(expr, look_in_part, &(struct parts){walk, place});
    walk->depth--;
}

bool question_check_without(const struct question *question, const struct session *session,
                            const char *typed, struct error *reterr)
{
    struct arena arena = {0};
    struct statement *first = NULL;
    struct walk found = {.question = question, .session = session};
    if (question->n_without == 0)
        return true;
    bool ok =
        parser_parse_line(&arena, session->find_command, typed, strlen(typed), &first, reterr);
    if (ok && first != NULL && first->kind == STATEMENT_EXPRESSION)
        look_in(&found, first->value, NULL);
    if (found.found != NULL) {
        ok = error_set(reterr, ERR_NAME, "this one without %s: write it another way", found.found);
        error_place(reterr, found.place->begin, found.place->end);
    }
    arena_release(&arena);
    return ok;
}

/* ---- question formula ---- */

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

enum { FIRST_TRIAL_SEED = 1001 }; /* one that a lesson is not likely to use itself */

bool question_trial_lines(const struct question *question, unsigned trial, struct text *lines,
                          struct error *reterr)
{
    text_clear(lines);
    text_format(lines, "manual_seed(%u)\n", FIRST_TRIAL_SEED + trial);
    for (size_t i = 0; i < question->n_draw; i++) {
        text_put(lines, question->draw[i].text);
        text_char(lines, '\n');
    }
    return !lines->failed || error_memory(reterr, "the inputs of a question");
}

/* Whether one expression gives the same as another, on fresh inputs each time. When the expression
 * fails on them, *ret_same is false too, and note says why. */
static bool compare_formulas(const struct question *question, struct session *session,
                             const char *given, struct session *other_session, const char *other,
                             bool *ret_same, char note[320], struct error *reterr)
{
    struct text lines = {0};
    bool ok = true, same = true;
    for (unsigned trial = 0; ok && same && trial < FORMULA_TRIALS; trial++) {
        struct error error = {0};
        ok = question_trial_lines(question, trial, &lines, reterr);
        struct node *right =
            ok ? answer_peek(other_session, text_string(&lines), other, reterr) : NULL;
        ok = right != NULL;
        struct node *node = ok ? answer_peek(session, text_string(&lines), given, &error) : NULL;
        same = node != NULL &&
               numbers_are_near(&node->value, &right->value, question_within(question));
        if (ok && node == NULL)
            snprintf(note, 320, "With other inputs of other sizes it fails: %.220s", error.text);
        if (ok && node == NULL && error_is_stop(&error))
            ok = error_set(reterr, error.kind, "%s", error.text);
        node_free(node);
        node_free(right);
    }
    text_release(&lines);
    *ret_same = same;
    return ok;
}

/* Whether typed gives the same with all fresh inputs, unlike the right answer (lint checks that):
 * then it is a copy of numbers. A formula that fails with some of them is not a copy. */
static bool is_copy(const struct question *question, struct session *session, const char *typed)
{
    struct text lines = {0};
    struct error ignored;
    struct node *first = NULL;
    bool is_same = true;
    for (unsigned trial = 0; is_same && trial < FORMULA_TRIALS; trial++) {
        struct node *given = question_trial_lines(question, trial, &lines, &ignored)
                                 ? answer_peek(session, text_string(&lines), typed, &ignored)
                                 : NULL;
        if (first == NULL && given != NULL)
            first = node_share(given);
        is_same = given != NULL && numbers_are_near(&given->value, &first->value, 0);
        node_free(given);
    }
    node_free(first);
    text_release(&lines);
    return is_same;
}

static bool has_letters(const char *typed)
{
    while (*typed != '\0' && !isalpha((unsigned char)*typed))
        typed++;
    return *typed != '\0';
}

/* A number was typed where a formula is asked for, and it is not the right one for the session's
 * own values. */
static void note_number(struct judged *judged)
{
    judged->is_unfinished = true;
    snprintf(judged->note, sizeof judged->note,
             "That is a number. Write a formula with names, which holds for other inputs too.");
}

/* Compares the shapes and the numbers on the session's own values, to say something helpful. */
static void note_formula(const struct question *question, const struct question_sessions *sessions,
                         const char *typed, const struct node *given, struct judged *judged)
{
    char wanted[TENSOR_SHAPE_TEXT], is[TENSOR_SHAPE_TEXT];
    char *note = judged->note;
    size_t first;
    struct error ignored;
    struct node *right = answer_peek(sessions->lesson, NULL, question->answer.text, &ignored);
    bool has_shape = right != NULL && tensor_same_shape(&given->value, &right->value);
    bool is_near =
        has_shape && (tensor_size(&right->value) > 1 ||
                      numbers_are_near(&given->value, &right->value, question_within(question)));
    if (!has_letters(typed) && !is_near)
        note_number(judged);
    if (right == NULL || judged->is_unfinished) {
        node_free(right);
        return;
    }
    if (!has_shape) {
        snprintf(note, 320, "The shape is different: %s is needed, and this is %s.",
                 tensor_shape_text(&right->value, wanted), tensor_shape_text(&given->value, is));
    } else {
        size_t n =
            numbers_count_far(&given->value, &right->value, question_within(question), &first);
        size_t size = tensor_size(&right->value);
        if (n > 0 && size == 1)
            snprintf(note, 320, "It gives one number, as it should, but a different one.");
        else if (n > 0)
            snprintf(note, 320, "The shape is right; %zu of %zu numbers %s not.", n, size,
                     n == 1 ? "is" : "are");
        else if (note[0] == '\0')
            snprintf(note, 320,
                     "These are the right numbers for these inputs, and wrong ones for "
                     "others. %s",
                     is_copy(question, sessions->learner, typed)
                         ? "Write it with the names that the question speaks of: numbers that were "
                           "computed before, or copied, do not change with them."
                         : "What holds here by chance, and not in general?");
    }
    node_free(right);
}

/* Whether both give the same on the lesson's own values, too; true if one of them can't be computed
 * there, because only the learner or the fresh inputs have its names. A number that was read off
 * the inputs' recipe gives itself away here. */
static bool fits_lesson(const struct question *question, struct session *lesson, const char *typed,
                        const char *other)
{
    struct error ignored;
    struct node *wanted = answer_peek(lesson, NULL, other, &ignored);
    struct node *given = wanted != NULL ? answer_peek(lesson, NULL, typed, &ignored) : NULL;
    bool fits =
        given == NULL || numbers_are_near(&given->value, &wanted->value, question_within(question));
    node_free(given);
    node_free(wanted);
    return fits;
}

/* Whether typed gives the same as a foreseen wrong formula, with fresh inputs and with the lesson's
 * own, and the right one does not with the fresh ones: then it was not by accident. */
static bool is_wrong_formula(const struct question *question,
                             const struct question_sessions *sessions, const char *typed,
                             const char *wrong, bool *ret, struct error *reterr)
{
    char ignored[320] = "";
    bool is_right = false, same;
    if (!compare_formulas(question, sessions->learner, typed, sessions->lesson, wrong, &same,
                          ignored, reterr))
        return false;
    if (same && !compare_formulas(question, sessions->lesson, wrong, sessions->lesson,
                                  question->answer.text, &is_right, ignored, reterr))
        return false;
    *ret = same && !is_right && fits_lesson(question, sessions->lesson, typed, wrong);
    return true;
}

static bool find_wrong_formula(const struct question *question,
                               const struct question_sessions *sessions, const char *typed,
                               struct judged *judged, struct error *reterr)
{
    size_t n = question->wrong != NULL ? question->n_wrong : 0;
    for (size_t i = 0; judged->foreseen == NULL && i < n; i++) {
        bool is_this;
        if (!is_wrong_formula(question, sessions, typed, question->wrong[i].is.text, &is_this,
                              reterr))
            return false;
        if (is_this)
            judged->foreseen = &question->wrong[i];
    }
    return true;
}

/* How many names a line gives a value to, as "Q, K = ..." does to two; it begins with them. */
static size_t count_given(const char *line)
{
    for (size_t n = 1;; n++) {
        size_t size = strspn(line, NAME_LETTERS);
        line += size;
        line += strspn(line, " ");
        if (size == 0 || (*line != ',' && *line != '='))
            return 0;
        if (*line == '=')
            return line[1] == '=' ? 0 : n;
        line++;
        line += strspn(line, " ");
    }
}

/* Is this name, of the fresh inputs, without a value in the session? NULL: no session has any. */
static bool is_open(const struct session *session, const char *name, size_t size)
{
    return session == NULL || names_get(&session->names, name, size) == NULL;
}

/* How many of the fresh inputs' names are open. Adds all n of them to out, which may be NULL. */
static size_t go_through_names(const struct question *question, const struct session *session,
                               size_t n, struct text *out)
{
    size_t n_open = 0;
    for (size_t i = 0; i < question->n_draw; i++) {
        const char *name = question->draw[i].text;
        for (size_t left = count_given(name); left > 0; left--) {
            size_t size = strspn(name, NAME_LETTERS);
            n_open += is_open(session, name, size);
            if (out != NULL && is_open(session, name, size))
                text_format(out, "%s%.*s",
                            n_open == 1   ? ""
                            : n_open == n ? " and "
                                          : ", ",
                            (int)size, name);
            name += size + strspn(name + size, " ,");
        }
    }
    return n_open;
}

size_t question_list_open_names(const struct question *question, const struct session *session,
                                struct text *out)
{
    return go_through_names(question, session, go_through_names(question, session, 0, NULL), out);
}

/* The advice of the language is about lines of the prompt: replaces it by advice about a
 * formula. */
static void advise_formula(const struct question *question, const struct error *before,
                           struct error *reterr)
{
    struct text names = {0};
    int said = (int)answer_said_part(before->text);
    const char *advice = before->text + said;
    bool has_suggestion = strncmp(advice, "; give it a value", 17) != 0;
    if (reterr == NULL)
        return;
    (void)question_list_open_names(question, NULL, &names);
    *reterr = *before;
    if (before->kind == ERR_SYNTAX)
        error_set(reterr, before->kind, "%.*s; a formula is asked for, such as 2 * %.*s", said,
                  before->text, (int)strspn(text_string(&names), NAME_LETTERS),
                  text_string(&names));
    else if (before->kind == ERR_NAME && !has_suggestion && names.size > 0)
        error_set(reterr, before->kind, "%.*s; the names here are %s", said, before->text,
                  text_string(&names));
    reterr->begin = before->begin;
    reterr->end = before->end;
    text_release(&names);
}

/* Whether the names in typed exist with fresh inputs. A formula that fails for another reason is
 * judged. */
static bool has_names(const struct question *question, struct session *session, const char *typed,
                      struct error *reterr)
{
    struct text lines = {0};
    struct error error = {0};
    struct node *node = question_trial_lines(question, 0, &lines, &error)
                            ? answer_peek(session, text_string(&lines), typed, &error)
                            : NULL;
    bool ok = node != NULL || error.kind != ERR_NAME;
    if (!ok)
        advise_formula(question, &error, reterr);
    node_free(node);
    text_release(&lines);
    return ok;
}

bool question_judge_formula(const struct question *question,
                            const struct question_sessions *sessions, const char *typed,
                            struct judged *judged, struct error *reterr)
{
    struct error first = {0}, ignored;
    struct node *given = answer_peek(sessions->learner, NULL, typed, &first);
    if (given == NULL && first.kind != ERR_NAME) {
        /* The learner's names may mean other things by now: it may work with the lesson's. */
        struct node *node = answer_peek(sessions->lesson, NULL, typed, &ignored);
        bool works = node != NULL;
        node_free(node);
        if (!works) {
            advise_formula(question, &first, reterr);
            return false;
        }
    }
    if (given == NULL && first.kind == ERR_NAME &&
        !has_names(question, sessions->learner, typed, reterr))
        return false; /* a name may be one that only the fresh inputs have; here it is a slip */
    bool ok = compare_formulas(question, sessions->learner, typed, sessions->lesson,
                               question->answer.text, &judged->right, judged->note, reterr);
    if (ok && judged->right)
        judged->right = fits_lesson(question, sessions->lesson, typed, question->answer.text);
    if (ok && !judged->right) {
        ok = find_wrong_formula(question, sessions, typed, judged, reterr);
        if (ok && given != NULL && judged->foreseen == NULL)
            note_formula(question, sessions, typed, given, judged);
    }
    node_free(given);
    return ok;
}

bool question_accepts_copy(const struct question *question,
                           const struct question_sessions *sessions, bool *ret,
                           struct error *reterr)
{
    struct error ignored;
    struct text lines = {0};
    struct node *copy = answer_peek(sessions->lesson, NULL, question->answer.text, &ignored);
    bool ok = true, same = true;
    for (unsigned trial = 0; ok && same && trial < FORMULA_TRIALS; trial++) {
        struct node *right =
            question_trial_lines(question, trial, &lines, reterr)
                ? answer_peek(sessions->lesson, text_string(&lines), question->answer.text, reterr)
                : NULL;
        ok = right != NULL;
        if (ok && copy == NULL)
            copy = node_share(right); /* the session does not have the names: copied from a trial */
        same = ok && numbers_are_near(&copy->value, &right->value, question_within(question));
        node_free(right);
    }
    text_release(&lines);
    node_free(copy);
    if (ok)
        *ret = same;
    return ok;
}
