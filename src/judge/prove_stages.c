/* Is a stage that is named the one that is wrong? Each misconception answers all cases and probes,
 * and the search is told nothing but these numbers: see prove_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/find_stage.h"
#include "judge/prove_internal.h"

/* What one idea answers. */
struct sheet {
    struct answered_case *answered; /* [n] */
    struct answer *answers;         /* [n] */
    size_t n;
};

static bool sheet_init(struct sheet *sheet, size_t capacity, struct error *reterr)
{
    *sheet = (struct sheet){.answered = calloc(capacity + 1, sizeof *sheet->answered),
                            .answers = calloc(capacity + 1, sizeof *sheet->answers)};
    return (sheet->answered != NULL && sheet->answers != NULL) || error_memory(reterr, "a proof");
}

static void sheet_release(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->n; i++)
        answer_release(&sheet->answers[i]);
    free(sheet->answered);
    free(sheet->answers);
}

/* Adds what the idea answers, where it says something. */
static bool answer_all(struct sheet *sheet, const struct fixtures *fixtures,
                       const struct misconception *idea, struct error *reterr)
{
    for (size_t i = 0; i < fixtures->n; i++) {
        struct error error = {0};
        struct answer *answer = &sheet->answers[sheet->n];
        if (fixture_answer_under(fixtures->items[i], &idea, 1, answer, &error)) {
            sheet->answered[sheet->n++] = (struct answered_case){fixtures->items[i], answer};
        } else if (!idea_says_nothing(&error)) {
            if (reterr != NULL)
                *reterr = error;
            return false;
        }
    }
    return true;
}

static bool prove_stage(const struct exercise *exercise, const struct fixtures *cases,
                        const struct fixtures *probes, const struct misconception *idea,
                        struct prove_report *report, struct error *reterr)
{
    struct sheet sheet;
    char stage[STAGE_NAME_BYTES] = "", what[STAGE_NAME_BYTES + 80];
    bool ok = sheet_init(&sheet, cases->n + probes->n, reterr) &&
              answer_all(&sheet, cases, idea, reterr) && answer_all(&sheet, probes, idea, reterr) &&
              find_stage(exercise, sheet.answered, sheet.n, false, stage, reterr);
    if (ok && stage[0] != '\0' && !misconception_is_about(idea, stage, strlen(stage))) {
        snprintf(what, sizeof what, "without its name the stage %s would be blamed", stage);
        prove_idea_fault(exercise, idea, report, what);
    }
    sheet_release(&sheet);
    return ok;
}

bool prove_stages(const struct exercise *exercise, const struct fixtures *cases,
                  const struct fixtures *probes, struct prove_report *report, struct error *reterr)
{
    for (unsigned i = 0; i < exercise->n_misconceptions; i++)
        if (exercise->misconceptions[i].stages.n > 0 &&
            !prove_stage(exercise, cases, probes, &exercise->misconceptions[i], report, reterr))
            return false;
    return true;
}
