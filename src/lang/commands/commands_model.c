/* predict and train: what models say, and how they learn. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "graph/node.h"
#include "lang/builtins/model_value.h"
#include "lang/builtins/task_value.h"
#include "lang/commands/command_internal.h"
#include "lang/session/eval.h"
#include "model/show_prediction.h"
#include "show/doc.h"
#include "show/matrix.h"
#include "show/number.h"
#include "tensor/tensor.h"
#include "train/training.h"

enum { PREDICTED = 10 }; /* tokens that predict shows */

COMMAND(command_predict)
{
    struct show_options options = settings_show_options(&session->settings);
    for (size_t i = 0; i < statement->n_arguments; i++) {
        struct value value;
        char text[120];
        if (!expr_eval(session, statement->arguments[i], &value, reterr))
            return false;
        struct run *run = value_as_run(&value);
        bool ok =
            run != NULL || error_set(reterr, ERR_TYPE,
                                     "predict: needs a run of a model, as r = m(\"text\") gives "
                                     "one, and this is %s",
                                     value_describe(&value, text, sizeof text));
        ok = ok && show_prediction(run, -1, PREDICTED, 1, &options, out, reterr);
        value_release(&value);
        if (!ok)
            return expr_place_error(statement->arguments[i], reterr);
    }
    return true;
}

/* ---- train m, task("induction"), steps=400, lr=3e-3 ---- */

/* A named argument that is a number. */
static bool named_number(struct session *session, const struct argument *argument, double low,
                         double *ret, struct error *reterr)
{
    struct node *node = expr_eval_node(session, argument->value, reterr);
    if (node == NULL)
        return false;
    *ret = number_typed(node->value.data[0]);
    bool ok = tensor_size(&node->value) == 1 && *ret >= low && isfinite(*ret);
    node_free(node);
    if (ok)
        return true;
    error_set(reterr, ERR_RANGE, "train: %.*s must be a number from %g on",
              (int)argument->keyword_size, argument->keyword, low);
    return expr_place_error(argument->value, reterr);
}

/* steps=, lr=, batch=, dropout= in place of the recipe's; seed=. */
static bool read_named(struct session *session, const struct statement *statement,
                       struct recipe *recipe, double *ret_seed, struct error *reterr)
{
    for (size_t i = 0; i < statement->n_named; i++) {
        const struct argument *argument = &statement->named[i];
        const char *name = argument->keyword;
        size_t size = argument->keyword_size;
        double number = 0;
        bool drops = text_equals(name, size, "dropout");
        bool counts = !drops && !text_equals(name, size, "lr") && !text_equals(name, size, "seed");
        if (!text_equals(name, size, "steps") && !text_equals(name, size, "batch") && counts) {
            error_set(reterr, ERR_NAME,
                      "train: it has no argument %.*s; it takes steps, lr, batch, dropout "
                      "and seed",
                      (int)size, name);
            return expr_place_error(argument->value, reterr);
        }
        if (!named_number(session, argument, counts ? 1 : 0, &number, reterr))
            return false;
        if (drops && number >= 1) {
            error_set(reterr, ERR_RANGE, "train: dropout must be less than 1");
            return expr_place_error(argument->value, reterr);
        }
        if (drops)
            recipe->dropout = number;
        else if (text_equals(name, size, "steps"))
            recipe->schedule.n_steps = recipe->n_steps = (unsigned)number;
        else if (text_equals(name, size, "batch"))
            recipe->batch = (unsigned)number;
        else if (text_equals(name, size, "lr"))
            recipe->schedule.lr = number;
        else
            *ret_seed = number;
    }
    return true;
}

static bool show_step(const struct training *training, struct doc *out, struct error *reterr)
{
    struct score score;
    if (!training_score(training, SPLIT_HELD_OUT, 2, &score, reterr))
        return false;
    doc_line(out, STYLE_PLAIN, "step %5zu   loss %.4f   held out: %.4f, %5.1f %% right",
             training_count(training), training->loss, score.loss, 100 * score.right);
    return true;
}

/* All steps, and a line for some of them. A rate that falls does so over the steps before, too. */
static bool take_steps(struct training *training, struct doc *out, struct error *reterr)
{
    enum { LINES = 10 };
    const size_t n = training->recipe.n_steps, every = n < LINES ? 1 : n / LINES;
    training->recipe.schedule.n_steps = training_count(training) + n;
    for (size_t i = 1; i <= n; i++)
        if (!training_step(training, reterr) ||
            ((i % every == 0 || i == n) && !show_step(training, out, reterr)))
            return false;
    return true;
}

/* Trains the model that a value holds; a line that fails takes it back. */
static bool train_value(struct session *session, const struct statement *statement,
                        struct value *model, struct source *source, struct doc *out,
                        struct error *reterr)
{
    struct recipe recipe = source->recipe;
    struct training *training;
    double seed = 0;
    if (!read_named(session, statement, &recipe, &seed, reterr) ||
        !training_of_model(source, value_as_model(model), &session->graph, &recipe, (uint64_t)seed,
                           &training, reterr))
        return false;
    struct model *trained = take_steps(training, out, reterr)
                                ? training_model(training, &session->graph, reterr)
                                : NULL;
    training_free(training);
    return trained != NULL &&
           session_remember(session, model->as.object, model_replace(model, trained), reterr);
}

COMMAND(command_train)
{
    struct value model = {.kind = VALUE_ABSENT}, task = {.kind = VALUE_ABSENT};
    bool ok = statement->n_arguments == 2 || error_set(reterr, ERR_TYPE,
                                                       "train: needs a model and a task: train m, "
                                                       "task(\"induction\"), steps=400");
    ok = ok && expr_eval(session, statement->arguments[0], &model, reterr) &&
         expr_eval(session, statement->arguments[1], &task, reterr);
    if (ok && (value_as_model(&model) == NULL || value_as_task(&task) == NULL))
        ok = error_set(reterr, ERR_TYPE,
                       "train: needs a model, as transformer() makes one, and a "
                       "task, as task(\"induction\") gives one");
    ok = ok && train_value(session, statement, &model, value_as_task(&task), out, reterr);
    value_release(&model);
    value_release(&task);
    return ok && doc_check(out, reterr);
}
