/* attn train: a small model learns; its progress as lines. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opening.h"
#include "cli/train_exam.h"
#include "cli/train_options.h"
#include "cli/train_report.h"
#include "cli/train_screen.h"
#include "cli/train_strip.h"
#include "files/clock.h"
#include "files/folder.h"
#include "files/path.h"
#include "kernel/threads.h"
#include "task/task.h"
#include "train/film.h"
#include "ui/terminal/news.h"

/* ---- the tasks ---- */

static void list_task(const char *name, const char *summary, bool json)
{
    if (!json) {
        printf("%-12s %s\n", name, summary);
        return;
    }
    json_t *line = json_pack("{s:s, s:s}", "task", name, "summary", summary);
    char *text = line != NULL ? json_dumps(line, 0) : NULL;
    if (text != NULL)
        puts(text);
    free(text);
    json_decref(line);
}

static int list_tasks(bool json)
{
    for (size_t i = 0; i < n_tasks; i++)
        list_task(tasks[i].name, tasks[i].summary, json);
    list_task("stories", "tell stories, and know who \"it\" and \"she\" are", json);
    if (!json)
        printf("Train one: attn train %s\n"
               "Play one that was filmed: attn train --film modular\n",
               tasks[0].name);
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- the run ---- */

/* Is there no training in the folder, or one of the same plan, which comes to the same? */
static bool may_replace(const char *folder, const struct training_plan *plan)
{
    struct training_plan old;
    struct error error;
    if (!checkpoint_plan(folder, &old, &error))
        return true;
    old.digest = plan->digest;
    char *one = plan_to_text(&old), *other = plan_to_text(plan);
    bool same = one != NULL && other != NULL && strcmp(one, other) == 0;
    free(one);
    free(other);
    return same;
}

/* Whether the folder, and the film, can be made: else that is found out when all is learnt. A model
 * that no training of attn's made is left alone, and so is another training. */
static void check_folder(const struct train_options *options, const char *folder)
{
    char model[4096], training[4096];
    int problem = folder_can_be_filled(folder);
    if (problem != 0)
        usage_error("train: %s: nothing can be saved there: %s; --out FOLDER says where else",
                    folder, strerror(problem));
    if (options->out != NULL && path_join(model, sizeof model, folder, "config.json") &&
        path_join(training, sizeof training, folder, "training.safetensors") &&
        path_is_file(model) && !path_is_file(training))
        usage_error("train: %s: there is a model already that was not trained here; --out FOLDER "
                    "says where else",
                    folder);
    if (options->out != NULL && !may_replace(folder, &options->plan))
        usage_error(
            "train: %s: another training is saved there; --resume %s goes on with it, --out "
            "FOLDER says where else",
            folder, folder);
    if (options->film != NULL && (problem = folder_can_hold(options->film)) != 0)
        usage_error("train: --film %s: can't be saved: %s", options->film, strerror(problem));
}

/* Where the model goes: what was said, or a folder that is not there yet. */
static bool choose_folder(const struct train_options *options, const struct film *film, char *path,
                          size_t capacity)
{
    const char *said = options->out != NULL ? options->out : options->resume;
    if (said == NULL)
        return film_folder(film, path, capacity);
    return snprintf(path, capacity, "%s", said) < (int)capacity;
}

#define SAVE_NS UINT64_C(30000000000) /* between two savings, unless --save-every says */

struct lines_run {
    struct film *film;
    const struct train_options *options;
    const char *folder;
    struct train_report report;
    uint64_t saved_ns;
    bool is_stopped; /* Ctrl-C came; what was learnt counts */
};

/* Saves now and then. What can't be saved now may be later, and ends no training. */
static void save_now_and_then(struct lines_run *run)
{
    const struct train_options *options = run->options;
    struct training *training = run->film->training;
    struct error error;
    bool is_due = options->save_every > 0 ? training_count(training) % options->save_every == 0
                                          : clock_ns() - run->saved_ns > SAVE_NS;
    if (!is_due)
        return;
    if (!checkpoint_save(training, &options->plan, run->folder, &error))
        fprintf(stderr, "attn: train: %s; it goes on, and will be tried again\n", error.text);
    run->saved_ns = clock_ns();
}

static bool take_one(struct lines_run *run, struct error *reterr)
{
    struct film *film = run->film;
    return run->options->film != NULL ? film_advance(film, reterr)
                                      : training_step(film->training, reterr);
}

/* All steps that are left. */
static bool take_steps(struct lines_run *run, struct error *reterr)
{
    struct training *training = run->film->training;
    size_t n = training->recipe.n_steps, before = training_count(training);
    size_t every = run->options->every > 0 ? run->options->every : n / 20 + (n < 20);
    while (run->options->film != NULL ? !film_is_done(run->film) : training_count(training) < n) {
        if (!take_one(run, reterr)) {
            run->is_stopped = interrupt_flag != 0;
            return run->is_stopped;
        }
        size_t count = training_count(training);
        if (count == before)
            continue;
        before = count;
        if ((count % every == 0 || count == n) && !train_report_line(&run->report, reterr)) {
            run->is_stopped = interrupt_flag != 0;
            return run->is_stopped;
        }
        train_report_bar(&run->report);
        save_now_and_then(run);
    }
    return true;
}

static void say_saved(const struct lines_run *run)
{
    const struct training *training = run->film->training;
    if (run->is_stopped)
        printf("stopped after %zu steps, and saved; attn train --resume %s goes on\n",
               training_count(training), run->folder);
    else if (training_count(training) == run->report.n_before)
        printf("all %zu steps are taken; attn train --resume %s --steps %zu takes as many more\n",
               training_count(training), run->folder, 2 * training_count(training));
    else
        printf("saved in %s; look at it with attn view %s\n", run->folder, run->folder);
}

static bool save_all(const struct lines_run *run, struct error *reterr)
{
    const char *film = run->options->film;
    return film_keep(run->film, NULL, run->folder, reterr) &&
           (film == NULL || film_save(run->film, film, reterr));
}

/* What was learnt is told also where it can't be saved. */
static bool run_lines(struct lines_run *run, struct error *reterr)
{
    const struct train_options *options = run->options;
    struct error error;
    if (!train_report_begin(run->film->training, &options->common, options->json, &run->report,
                            reterr) ||
        !take_steps(run, reterr))
        return false;
    bool is_saved = save_all(run, reterr);
    if (run->is_stopped || train_report_end(&run->report, is_saved ? reterr : &error))
        return is_saved;
    return false;
}

static int run(struct film *film, const struct train_options *options, const char *folder)
{
    struct lines_run run = {
        .film = film, .options = options, .folder = folder, .saved_ns = clock_ns()};
    struct error error;
    interrupt_catch_all();
    if (!run_lines(&run, &error)) {
        (void)fflush(stdout);
        fprintf(stderr, "attn: train: %s\n", error.text);
        return EXIT_FAILED;
    }
    if (!options->json)
        say_saved(&run);
    int code = finish_output(true) ? EXIT_OK : EXIT_FAILED;
    end_by_signal(interrupt_flag != SIGINT ? interrupt_flag : 0);
    return code;
}

/* ---- what there is to do ---- */

static bool wants_screen(const struct train_options *options)
{
    return !options->plain && !options->json && opening_has_screen();
}

/* The film that is played, or a new one of the plan, with what was learnt before. */
static struct film *open_film(const struct train_options *options)
{
    char path[4096];
    const volatile sig_atomic_t *stop = wants_screen(options) ? &news_came : &interrupt_flag;
    struct source *source = NULL;
    struct training *training = NULL;
    struct film *film = NULL;
    struct error error;
    bool ok = train_plays_film(options)
                  ? film_open(film_path(options->film, data_dir(), path, sizeof path), data_dir(),
                              stop, &film, &error)
                  : plan_open(&options->plan, data_dir(), stop, &source, &training, &error);
    if (!ok)
        usage_error("train: %s", error.text);
    if (train_plays_film(options))
        return film;
    ok = options->resume == NULL || checkpoint_load(training, options->resume, &error);
    if (!ok) {
        training_free(training);
        source_free(source);
    }
    ok = ok && film_new(&options->plan, source, training, data_dir(), &film, &error);
    if (!ok)
        fprintf(stderr, "attn: train: %s\n", error.text);
    return ok ? film : NULL;
}

static int show(struct film *film, const struct train_options *options, const char *folder)
{
    const struct train_showing showing = {.common = options->common,
                                          .folder = folder,
                                          .film = options->film,
                                          .is_played = train_plays_film(options),
                                          .save_every = options->save_every};
    if (wants_screen(options))
        return train_on_screen(film, &showing);
    return train_plays_film(options) ? train_print_film(film, options->json)
                                     : run(film, options, folder);
}

/* The plan of the training that goes on; --steps may be said anew. */
static void read_plan(struct train_options *options)
{
    struct error error;
    uint64_t n_steps = options->plan.n_steps;
    if (!checkpoint_plan(options->resume, &options->plan, &error))
        usage_error("train: %s", error.text);
    if (n_steps > 0)
        options->plan.n_steps = n_steps;
}

int train_main(int argc, char **argv)
{
    struct train_options options = train_read_options(argc, argv);
    char folder[4096];
    if (options.exam != NULL)
        return train_exam(options.exam, options.plan.seed, options.asks_heads);
    if (options.resume != NULL)
        read_plan(&options);
    if (!train_has_source(&options) && options.film == NULL)
        return list_tasks(options.json);
    struct film *film = open_film(&options);
    if (film == NULL)
        return EXIT_FAILED;
    int code = EXIT_FAILED;
    if (options.strip)
        code = train_strip(film, &options.common, options.svg);
    else if (choose_folder(&options, film, folder, sizeof folder)) {
        if (!train_plays_film(&options))
            check_folder(&options, folder);
        code = show(film, &options, folder);
    } else
        fprintf(stderr, "attn: train: the folder's name is too long\n");
    film_free(film);
    return code;
}
