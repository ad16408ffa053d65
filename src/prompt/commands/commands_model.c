/* predict and train: what models say, and how they learn. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "graph/node.h"
#include "lang/builtins/model_value.h"
#include "lang/builtins/task_value.h"
#include "commands/command_internal.h"
#include "lang/session/eval.h"
#include "model/show_model.h"
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

/* What stands in place of the recipe's, and the seed, of which float32 holds so many exactly. */
struct train_setting {
    const char *name;
    double low, high;
    bool is_whole;
};
enum train_setting_at { SET_STEPS, SET_LR, SET_BATCH, SET_DROPOUT, SET_SEED, SETTINGS };

static const struct train_setting settings[SETTINGS] = {
    [SET_STEPS] = {"steps", 1, 1e8, true},
    [SET_LR] = {"lr", 0, 1e6, false},
    [SET_BATCH] = {"batch", 1, 1e6, true},
    [SET_DROPOUT] = {"dropout", 0, 0.999, false},
    [SET_SEED] = {"seed", 0, 1 << 24, true}};

static bool find_setting(const struct argument *argument, enum train_setting_at *ret,
                         struct error *reterr)
{
    for (int i = 0; i < SETTINGS; i++)
        if (text_equals(argument->keyword, argument->keyword_size, settings[i].name)) {
            *ret = (enum train_setting_at)i;
            return true;
        }
    error_set(reterr, ERR_NAME,
              "train: it has no argument %.*s; it takes steps, lr, batch, dropout and seed",
              (int)argument->keyword_size, argument->keyword);
    return expr_place_error(argument->value, reterr);
}

static bool read_setting(struct session *session, const struct argument *argument,
                         const struct train_setting *setting, double *ret, struct error *reterr)
{
    struct node *node = expr_eval_node(session, argument->value, reterr);
    if (node == NULL)
        return false;
    double number =
        tensor_size(&node->value) == 1 ? number_typed(node->value.data[0]) : (double)NAN;
    node_free(node);
    if (number >= setting->low && number <= setting->high &&
        (!setting->is_whole || number == floor(number))) {
        *ret = number;
        return true;
    }
    error_set(reterr, ERR_RANGE, "train: %s must be a %snumber from %.15g to %.15g", setting->name,
              setting->is_whole ? "whole " : "", setting->low, setting->high);
    return expr_place_error(argument->value, reterr);
}

static bool read_settings(struct session *session, const struct statement *statement,
                          struct recipe *recipe, uint64_t *ret_seed, struct error *reterr)
{
    for (size_t i = 0; i < statement->n_named; i++) {
        enum train_setting_at at = SET_STEPS;
        double number = 0;
        if (!find_setting(&statement->named[i], &at, reterr) ||
            !read_setting(session, &statement->named[i], &settings[at], &number, reterr))
            return false;
        if (at == SET_STEPS)
            recipe->schedule.n_steps = recipe->n_steps = (unsigned)number;
        else if (at == SET_BATCH)
            recipe->batch = (unsigned)number;
        else if (at == SET_LR)
            recipe->schedule.lr = number;
        else if (at == SET_DROPOUT)
            recipe->dropout = number;
        else
            *ret_seed = (uint64_t)number;
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
    uint64_t seed = 0;
    if (!read_settings(session, statement, &recipe, &seed, reterr) ||
        !training_of_model(source, value_as_model(model), &session->graph, &recipe, seed, &training,
                           reterr))
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
