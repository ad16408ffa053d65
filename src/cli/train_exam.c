/* See train_exam.h. */
#include "cli/train_exam.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "model/model.h"
#include "task/grammar.h"
#include "tensor/tensor.h"
#include "train/exam.h"
#include "train/head_exam.h"

enum { QUESTIONS = 1000, TWINS = 500, HEAD_QUESTIONS = 200 };

struct examined {
    struct grammar grammar;
    struct model *model;
    uint64_t seed;
};

/* ---- what it knows ---- */

static void print_result(const char *kind, const struct exam_result *result)
{
    double n = (double)(result->n > 0 ? result->n : 1);
    printf("%-16s %5zu asked   %5.1f %% right   %5.1f %% above the wrong one of two\n", kind,
           result->n, 100 * (double)result->right / n, 100 * (double)result->beats_rival / n);
}

static bool ask_all(const struct examined *examined, struct error *reterr)
{
    const struct grammar *grammar = &examined->grammar;
    struct exam_result result;
    for (unsigned i = 0; i < grammar->n_kinds; i++) {
        if (!exam_run(grammar, examined->model, grammar->kinds[i], examined->seed, QUESTIONS,
                      &result, reterr))
            return false;
        print_result(grammar->kinds[i], &result);
    }
    if (!exam_run_twins(grammar, examined->model, examined->seed, TWINS, &result, reterr))
        return false;
    print_result("minimal pairs", &result);
    return true;
}

/* ---- what its heads do ---- */

/* Points that are lost (100: all answers), and weights, from which something is said of a head. */
static const double matters = 20, hardly = 3, alone = 10, together = 50;
static const double looks_much = 0.5, looks = 0.4, looks_a_little = 0.1;

/* The heads of a model, by number: layer, then head. */
struct heads {
    size_t per_layer, n;
    const float *looks, *losses;
};

static struct cut cut_of(const struct heads *heads, size_t at)
{
    return (struct cut){CUT_HEAD, at / heads->per_layer, at % heads->per_layer};
}

static const char *remark(double weight, double lost)
{
    return weight > looks_much && lost > matters ? "looks, and matters"
           : weight > looks && lost < hardly     ? "looks, and does not matter"
           : lost > matters                      ? "matters, and looks elsewhere"
                                                 : "";
}

/* Heads that neither look nor matter are left out. */
static void print_heads(const struct heads *heads)
{
    size_t n_left_out = 0;
    for (size_t at = 0; at < heads->n; at++) {
        double weight = (double)heads->looks[at], lost = (double)heads->losses[at];
        const char *said = remark(weight, lost);
        struct cut cut = cut_of(heads, at);
        if (weight < looks_a_little && lost < hardly)
            n_left_out++;
        else
            printf("  L%zuH%zu  looks %.2f  lost %5.1f%s%s\n", cut.layer, cut.head, weight, lost,
                   said[0] != '\0' ? "   " : "", said);
    }
    printf("  %zu others  look < %.2f  lost < %.1f\n", n_left_out, looks_a_little, hardly);
}

static bool may_be_backed_up(const struct heads *heads, size_t at)
{
    return (double)heads->looks[at] >= looks_a_little && (double)heads->losses[at] < alone;
}

static bool print_pair(struct head_exam *exam, const struct heads *heads, size_t one, size_t other,
                       struct error *reterr)
{
    const struct cut cuts[2] = {cut_of(heads, one), cut_of(heads, other)};
    size_t right;
    if (!head_exam_right_without(exam, cuts, 2, &right, reterr))
        return false;
    double lost = 100 * ((double)exam->n_right - (double)right) / (double)exam->n;
    if (lost > together)
        printf("  L%zuH%zu and L%zuH%zu back each other up: both cut, lost %.1f\n", cuts[0].layer,
               cuts[0].head, cuts[1].layer, cuts[1].head, lost);
    return true;
}

static bool print_pairs(struct head_exam *exam, const struct heads *heads, struct error *reterr)
{
    for (size_t one = 0; one < heads->n; one++)
        for (size_t other = one + 1; other < heads->n; other++)
            if (may_be_backed_up(heads, one) && may_be_backed_up(heads, other) &&
                !print_pair(exam, heads, one, other, reterr))
                return false;
    return true;
}

static bool print_group(const struct examined *examined, const struct head_group *group,
                        struct head_exam *exam, struct error *reterr)
{
    struct tensor weights, losses;
    if (!head_exam_looks(exam, &weights, reterr))
        return false;
    bool ok = head_exam_losses(exam, &losses, reterr);
    if (ok) {
        const struct heads heads = {weights.shape[1], tensor_size(&weights), weights.data,
                                    losses.data};
        printf("%s: the %s that is meant, asked %s: %zu questions, %.1f %% right\n", group->kind,
               examined->grammar.classes[group->class].name,
               group->at_pronoun ? "at the pronoun" : "later", exam->n,
               100 * (double)exam->n_right / (double)exam->n);
        print_heads(&heads);
        ok = print_pairs(exam, &heads, reterr);
        (void)fflush(stdout);
        tensor_release(&losses);
    }
    tensor_release(&weights);
    return ok;
}

static bool ask_group(const struct examined *examined, const struct head_group *group,
                      struct error *reterr)
{
    struct head_exam exam;
    if (!head_exam_open(&examined->grammar, examined->model, group, examined->seed, HEAD_QUESTIONS,
                        &exam, reterr))
        return false;
    bool ok = exam.n == 0 || print_group(examined, group, &exam, reterr);
    head_exam_close(&exam);
    return ok;
}

static bool ask_heads(const struct examined *examined, struct error *reterr)
{
    const struct grammar *grammar = &examined->grammar;
    printf("looks: mean weight on the word that is meant, from the token that answers\n"
           "lost: right answers less in 100 when the head is cut (zeros in its place)\n");
    for (unsigned kind = 0; kind < grammar->n_kinds; kind++)
        for (unsigned class = 0; class < grammar->n_classes; class ++)
            for (int later = 0; later < 2; later++) {
                const struct head_group group = {grammar->kinds[kind], class, !later};
                if (!ask_group(examined, &group, reterr))
                    return false;
            }
    return true;
}

int train_exam(const char *folder, uint64_t seed, bool asks_heads)
{
    struct error error;
    struct examined examined = {.model = model_open(folder, &error), .seed = seed};
    if (examined.model == NULL)
        usage_error("train: %s", error.text);
    bool ok = grammar_open(data_dir(), "stories", &examined.grammar, &error);
    if (ok) {
        ok = asks_heads ? ask_heads(&examined, &error) : ask_all(&examined, &error);
        grammar_release(&examined.grammar);
    }
    if (!ok)
        fprintf(stderr, "attn: train: %s\n", error.text);
    model_free(examined.model);
    return ok && finish_output(true) ? EXIT_OK : EXIT_FAILED;
}
