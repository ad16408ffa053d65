/* One case before the judge: see trial.h. */
#include "judge/case_runner.h"

#include <stdio.h>
#include <string.h>

void trial_release(struct trial *trial)
{
    answer_release(&trial->answer);
    *trial = (struct trial){0};
}

bool trial_is_wrong(const struct trial *trial)
{
    return trial->fixture != NULL && trial->answered && trial->difference.verdict != VERDICT_PASS;
}

void court_init(struct court *court, const struct exercise *exercise, const struct limits *limits,
                unsigned layers, int program_fd, struct text *printed)
{
    *court = (struct court){.exercise = exercise, .printed = printed};
    runner_plan_init(&court->plan, limits, layers, program_fd);
}

static void end_run(struct court *court)
{
    if (court->runner == NULL)
        return;
    const struct text *printed = runner_printed(court->runner);
    if (court->printed != NULL && court->printed->size < court->plan.limits->text_kept_bytes)
        text_add(court->printed, text_string(printed), printed->size);
    runner_stop(court->runner);
    court->runner = NULL;
}

void court_release(struct court *court)
{
    end_run(court);
}

/* The verdict over the numbers, where they are all there is left to judge. */
static void compare(struct trial *trial)
{
    trial->difference = fixture_compare(trial->fixture, &trial->answer);
    if (trial->verdict != VERDICT_PASS)
        return;
    trial->verdict = trial->difference.verdict;
    if (trial->verdict != VERDICT_PASS && trial->unwritten) {
        trial->verdict = VERDICT_WRONG_ANSWER;
        snprintf(trial->detail, sizeof trial->detail, "not written");
    }
}

bool court_try(struct court *court, struct fixture *fixture, bool at_end, struct trial *ret,
               struct error *reterr)
{
    struct trial trial = {.fixture = fixture, .at_end = at_end};
    struct runner_outcome outcome;
    if (!answer_init(fixture, &trial.answer, reterr))
        return false;
    if (court->runner == NULL) {
        if (!runner_start(&court->plan, court->exercise, &court->runner, reterr)) {
            trial_release(&trial);
            return false;
        }
        court->n_starts++;
    }
    runner_call(court->runner, fixture, at_end, &trial.answer, &outcome);
    trial.verdict = outcome.verdict;
    memcpy(trial.detail, outcome.detail, sizeof trial.detail);
    trial.heap_bytes = outcome.heap_bytes;
    trial.elapsed_ns = outcome.elapsed_ns;
    trial.answered = outcome.alive;
    trial.unwritten = outcome.alive && outcome.poisoned;
    if (outcome.alive)
        compare(&trial);
    else
        end_run(court);
    *ret = trial;
    return true;
}
