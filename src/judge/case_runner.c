/* Running one case: see case_runner.h. */
#include "judge/case_runner.h"

#include <stdio.h>
#include <string.h>

void case_run_release(struct case_run *run)
{
    answer_release(&run->answer);
    *run = (struct case_run){0};
}

bool case_run_is_wrong(const struct case_run *run)
{
    return run->fixture != NULL && run->answered && run->difference.verdict != VERDICT_PASS;
}

void case_runner_init(struct case_runner *runner, const struct exercise *exercise,
                      const struct limits *limits, unsigned layers, int program_fd)
{
    *runner = (struct case_runner){.exercise = exercise};
    runner_plan_init(&runner->plan, limits, layers, program_fd);
}

void case_runner_release(struct case_runner *runner)
{
    if (runner->runner == NULL)
        return;
    const struct text *printed = runner_printed(runner->runner);
    if (runner->printed != NULL && runner->printed->size < runner->plan.limits->text_kept_bytes)
        text_add(runner->printed, text_string(printed), printed->size);
    uint64_t memory_bytes = runner_memory_bytes(runner->runner);
    if (memory_bytes > runner->memory_bytes)
        runner->memory_bytes = memory_bytes;
    runner_stop(runner->runner);
    runner->runner = NULL;
}

/* The verdict on the numbers, when nothing else was wrong. */
static void compare(struct case_run *run)
{
    run->difference = fixture_compare(run->fixture, &run->answer);
    if (run->verdict != VERDICT_PASS)
        return;
    run->verdict = run->difference.verdict;
    if (run->verdict != VERDICT_PASS && run->unwritten) {
        run->verdict = VERDICT_WRONG_ANSWER;
        snprintf(run->detail, sizeof run->detail, "not written");
    }
}

bool case_runner_start(struct case_runner *runner, struct error *reterr)
{
    if (runner->runner != NULL)
        return true;
    if (!runner_start(&runner->plan, runner->exercise, &runner->runner, reterr))
        return false;
    runner->n_starts++;
    return true;
}

/* A program that runs has as much room as it was started with. */
static void make_room(struct case_runner *runner, const struct fixture *fixture)
{
    if (runner_plan_holds(&runner->plan, fixture))
        return;
    case_runner_release(runner);
    runner_plan_fit(&runner->plan, fixture);
}

bool case_runner_run(struct case_runner *runner, struct fixture *fixture, bool at_end,
                     struct case_run *ret, struct error *reterr)
{
    struct case_run run = {.fixture = fixture, .at_end = at_end};
    struct runner_outcome outcome;
    if (!answer_init(fixture, &run.answer, reterr))
        return false;
    make_room(runner, fixture);
    if (!case_runner_start(runner, reterr)) {
        case_run_release(&run);
        return false;
    }
    runner_call(runner->runner, fixture, at_end, &run.answer, &outcome);
    run.verdict = outcome.verdict;
    memcpy(run.detail, outcome.detail, sizeof run.detail);
    run.heap_bytes = outcome.heap_bytes;
    run.refused_memory = outcome.alive && outcome.refused_memory;
    run.spent_ns = outcome.spent_ns;
    run.answered = outcome.alive;
    run.unwritten = outcome.alive && outcome.poisoned;
    if (outcome.alive)
        compare(&run);
    else
        case_runner_release(runner); /* the next case starts the program again */
    *ret = run;
    return true;
}
