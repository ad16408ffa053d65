/* Which change of a formula gives these numbers: see question_internal.h. */
#include "verify/question_internal.h"

#include <math.h>
#include <string.h>

#include "graph/node.h"
#include "lang/value/literal.h"
#include "show/doc.h"

static const struct settings quiet = {.digits = 4, .width_cols = 80, .no_files = true};

/* Multiplications that looking for two mistakes at once may take for each pair, and for all. */
static const double PAIRS_MAX_WORK = 1e6, PAIRS_MAX_TOTAL = 4e9;
/* Multiplications that single changes may take where one takes more than a pair may. */
static const double SINGLES_MAX_TOTAL = 3e9;
/* What the words of a trial cost, in multiplications. */
static const double TRIAL_WORK = 5e4;

enum {
    PAIRS_MIN_WRONG = 3,      /* numbers: some pair of very many gives one or two by chance alone */
    PROGRAMS_MAX_SIZE = 4000, /* of tensors for which mistakes of programs are worked out */
};

static size_t row_size(const struct tensor *x)
{
    return x->n_axes > 0 ? x->shape[x->n_axes - 1] : 1;
}

/* ---- the formula ---- */

bool question_bind(struct question *question, const char *name, bool is_size, struct tensor *x)
{
    if (question->formula.n_inputs == QUESTION_MAX_INPUTS) {
        tensor_release(x);
        return error_set(question->reterr, ERR_LIMIT, "a formula of more than %d inputs",
                         QUESTION_MAX_INPUTS);
    }
    struct value old, value = value_node(node_input(&question->session.graph, x, name, strlen(name),
                                                    question->reterr));
    if (value.kind != VALUE_NODE)
        return false;
    if (!names_set(&question->session.names, name, strlen(name), &value, &old, question->reterr)) {
        value_release(&value);
        return false;
    }
    question->inputs[question->formula.n_inputs++] = (struct formula_name){name, is_size};
    return true;
}

bool question_bind_tensor(struct question *question, const char *name, const struct tensor *x)
{
    struct tensor shared = tensor_share(x);
    return question_bind(question, name, false, &shared);
}

bool question_bind_number(struct question *question, const char *name, bool is_size, double number)
{
    struct tensor x;
    return tensor_scalar((float)number, &x, question->reterr) &&
           question_bind(question, name, is_size, &x);
}

static bool run_line(struct session *session, const char *line, struct error *reterr)
{
    struct doc shown;
    doc_init(&shown);
    bool ok = session_run(session, line, strlen(line), &shown, reterr);
    doc_release(&shown);
    return ok;
}

bool question_step(struct question *question, bool gives_size, const char *statement)
{
    struct formula_step *step = &question->steps[question->formula.n_steps];
    if (question->formula.n_steps == QUESTION_MAX_STEPS)
        return error_set(question->reterr, ERR_LIMIT, "a formula of more than %d steps",
                         QUESTION_MAX_STEPS);
    if (!formula_step_read(&question->arena, statement, step, question->reterr) ||
        !run_line(&question->session, statement, question->reterr))
        return false;
    step->gives_size = gives_size;
    question->formula.n_steps++;
    return true;
}

const struct tensor *question_value(const struct question *question, const char *name)
{
    const struct value *value = names_get(&question->session.names, name, strlen(name));
    return value != NULL && value->kind == VALUE_NODE ? &value->as.node->value : NULL;
}

void question_init(struct question *question, const volatile sig_atomic_t *stop,
                   struct error *reterr)
{
    *question = (struct question){.stop = stop, .reterr = reterr};
    session_init(&question->session, NULL, &quiet, NULL, stop);
    question->formula.inputs = question->inputs;
    question->formula.steps = question->steps;
}

void question_release(struct question *question)
{
    session_release(&question->session);
    arena_release(&question->arena);
}

/* ---- one change, worked out ---- */

static const struct rewrite *change_of_step(const struct rewrite *const *changes, size_t n,
                                            size_t step)
{
    for (size_t i = 0; i < n; i++)
        if (changes[i]->step == step)
            return changes[i];
    return NULL;
}

/* The lines from the first step that was changed on. */
static void write_lines(const struct question *question, const struct rewrite *const *changes,
                        size_t n, struct text *lines)
{
    bool is_changed = n == 0;
    for (size_t i = 0; i < question->formula.n_steps; i++) {
        const struct rewrite *change = change_of_step(changes, n, i);
        is_changed = is_changed || change != NULL;
        if (!is_changed)
            continue;
        if (change != NULL)
            text_put(lines, change->functions);
        text_format(lines, "%s\n",
                    change != NULL ? change->statement : question->formula.steps[i].text);
    }
}

/* The statement of statements, which "; " separates, that assigns the name of this step; its size
 * in *ret_size. NULL: none does. */
static const char *replacement_of(const struct formula_step *step, const char *statements,
                                  size_t *ret_size)
{
    for (const char *at = statements; at != NULL; at = strstr(at, "; ")) {
        at += at == statements ? 0 : 2;
        *ret_size = strcspn(at, ";");
        if (strcspn(at, " ") == step->name_size && memcmp(at, step->name, step->name_size) == 0)
            return at;
    }
    return NULL;
}

/* The lines from the first step on that the statements replace; none if they replace nothing. */
static void write_replaced(const struct question *question, const char *statements,
                           struct text *lines)
{
    for (size_t i = 0; i < question->formula.n_steps; i++) {
        const struct formula_step *step = &question->formula.steps[i];
        size_t size;
        const char *instead = replacement_of(step, statements, &size);
        if (instead != NULL)
            text_format(lines, "%.*s\n", (int)size, instead);
        else if (lines->size > 0)
            text_format(lines, "%s\n", step->text);
    }
}

/* Is it a mistake of loops and of how numbers are stored? Those have functions of their own. They
 * and changes with new axes may need the square of the memory that attention does. */
static bool is_of_programs(const struct rewrite *change)
{
    return change->edit->only_programs || change->functions[0] != '\0' ||
           strstr(change->statement, "None") != NULL;
}

static bool is_name(const struct formula_step *step, const char *word, size_t size)
{
    return step->name_size == size && memcmp(step->name, word, size) == 0;
}

/* Does it name an array that only the formula here has? */
static bool speaks_of_step(const struct question *question, const struct rewrite *change)
{
    static const char instead_of[] = " is used in place of ";
    const char *with = strstr(change->when, instead_of);
    for (size_t i = 0; with != NULL && i < question->formula.n_steps; i++) {
        const struct formula_step *step = &question->formula.steps[i];
        const char *instead = with + sizeof instead_of - 1;
        if (!step->gives_size && (is_name(step, change->when, (size_t)(with - change->when)) ||
                                  is_name(step, instead, strcspn(instead, " "))))
            return true;
    }
    return false;
}

/* Is it looked at now? */
static bool is_looked_at(const struct question *question, const struct rewrite *const *changes,
                         size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((!question->with_programs && is_of_programs(changes[i])) ||
            speaks_of_step(question, changes[i]))
            return false;
    return true;
}

static bool row_is_nan(const struct tensor *x, size_t row, size_t n_cols)
{
    for (size_t j = 0; j < n_cols; j++)
        if (!isnan(tensor_at_position(x, row * n_cols + j)))
            return false;
    return true;
}

/* Compares the numbers of a trial with the context, where it is finite. A query that may see no key
 * gets NaN by the formula, zeros from attn, and the mean of all values from programs that hide by a
 * large negative number. */
static void compare(const struct question *question, const struct tensor *tried,
                    struct trial_outcome *ret)
{
    size_t n_cols = row_size(tried), n = tensor_size(tried), n_means = 0;
    bool agrees = true, is_wrong = false;
    ret->digest = SEARCH_DIGEST;
    for (size_t row = 0; row * n_cols < n; row++) {
        bool sees_nothing = row_is_nan(tried, row, n_cols);
        for (size_t i = row * n_cols; i < (row + 1) * n_cols; i++) {
            float number = sees_nothing ? 0 : tensor_at_position(tried, i);
            float got = tensor_at_position(question->got, i);
            double off = fabs((double)number - (double)tensor_at_position(question->want, i));
            ret->digest = search_digest(ret->digest, number);
            if (!isfinite(got))
                continue;
            if (sees_nothing && got != 0) { /* or the mean, from programs that hide by -1e9 */
                n_means++;
                continue;
            }
            agrees = agrees && fabs((double)got - (double)number) <= question->tolerance;
            is_wrong = is_wrong || !(off <= question->tolerance);
        }
    }
    ret->agrees = agrees && is_wrong && n_means <= n / 2;
    ret->is_dumb = question->rows_alike;
}

/* The value of the target after these lines; *ret_value stays absent where they can't be worked
 * out. False is a failure of attn's own. */
static bool value_after(struct question *question, const struct text *lines,
                        struct value *ret_value, struct error *reterr)
{
    struct error error = {.kind = ERR_NONE};
    *ret_value = (struct value){.kind = VALUE_ABSENT};
    if (question->stop != NULL && *question->stop)
        return error_set(reterr, ERR_INTERRUPTED, "interrupted");
    bool ok = lines->failed ? error_memory(&error, "a mistake")
                            : session_peek(&question->session, text_string(lines), question->target,
                                           ret_value, &error);
    if (!ok && error_is_stop(&error)) {
        if (reterr != NULL)
            *reterr = error;
        return false;
    }
    return true;
}

static bool value_of_changes(struct question *question, const struct rewrite *const *changes,
                             size_t n, struct value *ret_value, struct error *reterr)
{
    struct text lines = {0};
    write_lines(question, changes, n, &lines);
    bool ok = value_after(question, &lines, ret_value, reterr);
    text_release(&lines);
    return ok;
}

/* Releases the value. */
static void judge_value(const struct question *question, struct value *value,
                        struct trial_outcome *ret)
{
    if (value->kind == VALUE_NODE && tensor_same_shape(&value->as.node->value, question->got)) {
        ret->says_nothing = false;
        compare(question, &value->as.node->value, ret);
    }
    value_release(value);
}

bool question_work_out(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                       struct trial_outcome *ret, struct error *reterr)
{
    struct question *question = context;
    struct value value;
    (void)trial; /* there is one */
    *ret = (struct trial_outcome){.says_nothing = true};
    if (!is_looked_at(question, changes, n))
        return true;
    double work = question->work + (question->most_work > 0 ? TRIAL_WORK : 0);
    if (work > question->work_left) {
        question->n_untried++;
        return true;
    }
    question->work_left -= work;
    if (!value_of_changes(question, changes, n, &value, reterr))
        return false;
    judge_value(question, &value, ret);
    return true;
}

bool question_try_steps(struct question *question, const char *statements, bool *ret_agrees)
{
    struct text lines = {0};
    struct value value;
    struct trial_outcome outcome = {.says_nothing = true};
    write_replaced(question, statements, &lines);
    bool ok = lines.size == 0 || value_after(question, &lines, &value, question->reterr);
    if (ok && lines.size > 0)
        judge_value(question, &value, &outcome);
    text_release(&lines);
    *ret_agrees = !outcome.says_nothing && outcome.agrees && !outcome.is_dumb;
    return ok;
}

/* ---- the search ---- */

static bool rows_are_alike(const struct tensor *x, double tolerance)
{
    size_t n_cols = row_size(x), n = tensor_size(x);
    for (size_t i = n_cols; i < n; i++)
        if (!(fabs((double)tensor_at_position(x, i) - (double)tensor_at_position(x, i % n_cols)) <=
              tolerance))
            return false;
    return n > n_cols;
}

static size_t count_wrong(const struct question *question)
{
    size_t n_wrong = 0;
    for (size_t i = 0, n = tensor_size(question->got); i < n; i++) {
        double got = (double)tensor_at_position(question->got, i);
        double off = fabs(got - (double)tensor_at_position(question->want, i));
        n_wrong += isfinite(got) && !(off <= question->tolerance);
    }
    return n_wrong;
}

/* Adds what was found, in words: "WHEN" or "WHEN; and WHEN". */
static void write_when(const struct finding *finding, struct text *out)
{
    if (finding->combination != NULL) {
        text_put(out, finding->combination->when);
        return;
    }
    for (size_t i = 0; i < finding->n; i++)
        if (i == 0 || strcmp(finding->changes[i]->when, finding->changes[0]->when) != 0)
            text_format(out, "%s%s", i > 0 ? "; and " : "", finding->changes[i]->when);
}

/* The changed steps, a line each: "scaled = scores    instead of scaled = scores / sqrt(d_k)". */
static void write_steps(const struct question *question, const struct finding *finding,
                        struct text *out)
{
    for (size_t i = 0; i < finding->n; i++) {
        const struct rewrite *change = finding->changes[i];
        if (change->functions[0] == '\0') /* else it is written with names that nobody has */
            text_format(out, "%s\n  instead of %s\n", change->statement,
                        question->formula.steps[change->step].text);
    }
}

static bool values_agree(const struct value *a, const struct value *b, double share)
{
    if (a->kind != VALUE_NODE || b->kind != VALUE_NODE ||
        !tensor_same_shape(&a->as.node->value, &b->as.node->value))
        return false;
    double largest = 0, away = 0;
    for (size_t i = 0, n = tensor_size(&a->as.node->value); i < n; i++) {
        float left = tensor_at_position(&a->as.node->value, i);
        float right = tensor_at_position(&b->as.node->value, i);
        if (!isfinite(left) || !isfinite(right))
            continue;
        largest = fmax(largest, fabs((double)left));
        away = fmax(away, fabs((double)left - (double)right));
    }
    return away <= share * largest;
}

/* Do both changes give the same numbers of a question with other inputs too? A change that can't be
 * worked out there differs. */
static bool is_same_change(struct question *fresh, const struct rewrite *a, const struct rewrite *b,
                           bool *ret, struct error *reterr)
{
    struct value value, other;
    *ret = false;
    if (!value_of_changes(fresh, &a, 1, &value, reterr))
        return false;
    bool ok = value_of_changes(fresh, &b, 1, &other, reterr);
    *ret = ok && values_agree(&value, &other, fresh->tolerance);
    value_release(&value);
    if (ok)
        value_release(&other);
    return ok;
}

/* Does an input before this one have the same size? */
static bool is_repeated_size(const struct question *question, size_t at)
{
    const struct tensor *x = question_value(question, question->inputs[at].name);
    for (size_t i = 0; i < at; i++) {
        const struct tensor *before = question_value(question, question->inputs[i].name);
        if (question->inputs[i].is_size && x != NULL && before != NULL &&
            tensor_at_position(before, 0) == tensor_at_position(x, 0))
            return true;
    }
    return false;
}

/* Does the change use this size, which no input before has too? */
static bool uses_size(const struct question *question, const struct rewrite *change, size_t at)
{
    return question->inputs[at].is_size && !is_repeated_size(question, at) &&
           strstr(change->statement, question->inputs[at].name) != NULL;
}

/* Does the change bring in a size that the other one does not use, and no more of them? Only such
 * changes are worth telling apart: others are the same mistake in other words, or unlikely ones. Of
 * sizes that are equal here the first counts. */
static bool uses_another_size(const struct question *question, const struct rewrite *change,
                              const struct rewrite *than)
{
    size_t n = 0, n_than = 0;
    bool another = false;
    for (size_t i = 0; i < question->formula.n_inputs; i++) {
        bool here = uses_size(question, change, i), there = uses_size(question, than, i);
        n += here;
        n_than += there;
        another = another || (here && !there);
    }
    return another && n <= (n_than > 1 ? n_than : 1) && strchr(change->statement, '*') == NULL;
}

/* Adds other single changes that give these numbers too, but not in general. */
static bool write_also(struct question *question, const struct edits *edits,
                       const struct rewrite *found, struct question *fresh, struct text *out)
{
    enum { MOST = 2 };
    struct rewrites changes = {.n = 0};
    unsigned n_said = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < question->formula.n_steps; i++)
        ok = rewrites_add(edits, &question->formula, i, &changes, question->reterr);
    for (size_t i = 0; ok && i < changes.n && n_said < MOST; i++) {
        const struct rewrite *change = &changes.items[i];
        struct trial_outcome outcome;
        bool same;
        if (question->formula.steps[change->step].gives_size ||
            strcmp(change->when, found->when) == 0 || !uses_another_size(question, change, found))
            continue;
        ok = question_work_out(question, 0, &change, 1, &outcome, question->reterr);
        if (!ok || !outcome.agrees || outcome.is_dumb)
            continue;
        ok = is_same_change(fresh, found, change, &same, question->reterr);
        if (ok && !same) {
            text_format(out, "%s, as in %s\n", change->when, change->statement);
            n_said++;
        }
    }
    rewrites_release(&changes);
    return ok;
}

static bool search(struct question *question, const struct edits *edits, size_t most_steps,
                   struct question *fresh, struct question_finding *ret)
{
    const struct search_options options = {.most_steps = most_steps, .without_fresh = true};
    const struct subject subject = {
        .context = question, .n_trials = 1, .n_failing = 1, .work_out = question_work_out};
    struct search found = {.n_tried = 0};
    struct finding finding;
    bool ok = search_run(&found, edits, &question->formula, &subject, &options, &finding,
                         question->reterr);
    if (ok && finding.n > 0) {
        write_when(&finding, &ret->when);
        write_steps(question, &finding, &ret->steps);
        ok = finding.n > 1 || fresh == NULL ||
             write_also(question, edits, finding.changes[0], fresh, &ret->also);
    }
    search_release(&found);
    return ok;
}

/* The steps that may be worked out for pairs; 0: too much work, or too little to tell them by. */
static size_t steps_for_pairs(const struct question *question, size_t n_wrong)
{
    if (question->most_pair_steps == 0 || question->work > PAIRS_MAX_WORK ||
        n_wrong < PAIRS_MIN_WRONG)
        return 0;
    double pairs = PAIRS_MAX_TOTAL / question->work;
    return (size_t)fmin((double)question->most_pair_steps,
                        pairs * (double)(question->formula.n_steps + 1));
}

bool question_search(struct question *question, const struct edits *edits, size_t largest_size,
                     struct question *fresh, struct question_finding *ret)
{
    size_t n_wrong = count_wrong(question);
    question->rows_alike = rows_are_alike(question->got, question->tolerance);
    question->work_left = question->most_work > 0           ? question->most_work
                          : question->work > PAIRS_MAX_WORK ? SINGLES_MAX_TOTAL
                                                            : (double)INFINITY;
    question->with_programs = false;
    if (n_wrong == 0)
        return true;
    if (!search(question, edits, steps_for_pairs(question, n_wrong), fresh, ret))
        return false;
    question->with_programs = true;
    return (ret->when.size > 0 || largest_size > PROGRAMS_MAX_SIZE ||
            search(question, edits, 0, fresh, ret)) &&
           question_finding_check(ret, question->reterr);
}

bool question_finding_check(const struct question_finding *finding, struct error *reterr)
{
    return !(finding->when.failed || finding->steps.failed || finding->also.failed) ||
           error_memory(reterr, "a mistake");
}

void question_finding_release(struct question_finding *finding)
{
    text_release(&finding->when);
    text_release(&finding->steps);
    text_release(&finding->also);
}
