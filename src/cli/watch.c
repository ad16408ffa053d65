/* attn watch [DIR|FILE]: grades a file each time you save it. At a terminal each result takes the
 * place of the one before; what was on the screen when it began can still be scrolled back to. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/practice.h"
#include "files/file.h"
#include "files/saves.h"

enum {
    SETTLE_MS = 20,  /* editors write a file in several steps: then it is looked at */
    ROWS_AROUND = 4, /* the line above a result, two below, and the cursor's */
};

/* What was graded last of a file: the same text is not graded again. */
struct graded {
    char name[SAVES_NAME_BYTES];
    struct text source;
};

struct watch {
    struct practice practice;
    char folder[LEARNER_PATH_BYTES];
    char only[SAVES_NAME_BYTES]; /* the one file that is watched, or "" */
    struct saves saves;
    struct graded *graded;
    size_t n_graded, graded_capacity;
    bool at_terminal;            /* output is a terminal */
    bool has_keys;               /* input is one too */
    bool drawn;                  /* something was shown: the next result takes its place */
    struct doc last;             /* the last result, whole */
    char name[SAVES_NAME_BYTES]; /* of the file that is graded */
    struct judge_listener listener;
};

/* ---- the terminal ---- */

static struct termios terminal_before;
static bool terminal_changed;
static volatile sig_atomic_t suspend_flag;

static void terminal_restore(void)
{
    if (terminal_changed)
        tcsetattr(0, TCSANOW, &terminal_before);
    terminal_changed = false;
}

/* Keys come one by one and are not echoed; Ctrl-C and Ctrl-Z stay signals. */
static void terminal_keys(void)
{
    struct termios keys;
    if (tcgetattr(0, &keys) != 0)
        return;
    terminal_before = keys;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    terminal_changed = tcsetattr(0, TCSANOW, &keys) == 0;
}

static void on_suspend(int signal_number)
{
    (void)signal_number;
    suspend_flag = 1;
}

static void catch_signals(void)
{
    struct sigaction suspend = {.sa_handler = on_suspend};
    sigemptyset(&suspend.sa_mask);
    interrupt_catch_all();
    sigaction(SIGTSTP, &suspend, NULL);
}

static size_t terminal_rows(void)
{
    struct winsize size;
    return ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

/* Makes room at the top. What others wrote is scrolled away, what watch wrote is written over. */
static void clear_screen(struct watch *watch)
{
    if (!watch->at_terminal)
        return;
    for (size_t i = 1; !watch->drawn && i < terminal_rows(); i++)
        putchar('\n');
    fputs("\033[H\033[J", stdout);
    watch->drawn = true;
}

/* ---- showing ---- */

static bool print_status(struct watch *watch)
{
    struct doc doc;
    doc_init(&doc);
    if (watch->has_keys)
        doc_line(&doc, STYLE_QUIET,
                 "save a file to grade it; h: a hint, space: all of this, q: quit");
    else if (watch->at_terminal)
        doc_line(&doc, STYLE_QUIET, "save a file to grade it; Ctrl-C quits");
    bool ok = print_doc(&doc, &watch->practice.settings);
    doc_release(&doc);
    return ok;
}

/* Prints a Doc, of one that is too long for the window only its first lines. */
static bool print_fitting(struct watch *watch, const struct doc *doc)
{
    size_t room = terminal_rows() - ROWS_AROUND;
    if (!watch->at_terminal || doc->n_lines <= room)
        return print_doc(doc, &watch->practice.settings);
    struct doc part;
    doc_init(&part);
    doc_append_lines(&part, doc, room > 1 ? room - 1 : 1, 0);
    doc_line(&part, STYLE_NOTE, "  (%zu more lines: press space, or make the window taller)",
             doc->n_lines - part.n_lines);
    bool ok = print_doc(&part, &watch->practice.settings);
    doc_release(&part);
    return ok;
}

/* "04_softmax_rows.c  12:04:33, 41 ms", in the place of what was there. */
static void print_heading(struct watch *watch, const char *stage)
{
    char clock[16] = "";
    struct doc heading;
    time_t now = time(NULL);
    struct tm local;
    watch->practice.settings =
        terminal_settings(&watch->practice.options.common, 1); /* of its size now */
    if (localtime_r(&now, &local) != NULL)
        strftime(clock, sizeof clock, "%H:%M:%S", &local);
    doc_init(&heading);
    doc_add(&heading, STYLE_TITLE, "%s", watch->name);
    doc_add(&heading, STYLE_QUIET, "  %s, %s", clock, stage);
    doc_end_line(&heading);
    clear_screen(watch);
    (void)print_doc(&heading, &watch->practice.settings);
    doc_release(&heading);
}

/* The verdict comes first, while what explains it is still looked for. */
static void tell(void *context, const struct judgement *judgement)
{
    struct watch *watch = context;
    struct doc doc;
    if (!watch->at_terminal)
        return;
    print_heading(watch, judgement->result.verdict == VERDICT_PASS ? "graded" : "looking closer");
    doc_init(&doc);
    practice_headline(&watch->practice, judgement, &doc);
    (void)print_doc(&doc, &watch->practice.settings);
    doc_release(&doc);
}

static bool show(struct watch *watch, struct judgement *judgement)
{
    char taken[96];
    print_heading(watch, practice_time(judgement, taken, sizeof taken));
    doc_clear(&watch->last);
    practice_headline(&watch->practice, judgement, &watch->last);
    practice_explain(&watch->practice, judgement, &watch->last);
    practice_shown(&watch->practice, judgement, &watch->last);
    practice_next_steps(&watch->practice, judgement, &watch->last);
    return print_fitting(watch, &watch->last) && print_status(watch);
}

/* ---- grading ---- */

/* Keeps the text of a file; false when it is what was graded before. Without memory all is news. */
static bool is_news(struct watch *watch, const char *name, const struct text *source)
{
    size_t i = 0;
    while (i < watch->n_graded && strcmp(watch->graded[i].name, name) != 0)
        i++;
    if (i == watch->n_graded) {
        struct graded *graded =
            array_grow(watch->graded, watch->n_graded, &watch->graded_capacity, sizeof *graded);
        if (graded == NULL)
            return true;
        watch->graded = graded;
        graded[watch->n_graded++] = (struct graded){0};
        snprintf(graded[i].name, sizeof graded[i].name, "%s", name);
    }
    struct text *before = &watch->graded[i].source;
    if (before->bytes != NULL && before->size == source->size &&
        memcmp(before->bytes, text_string(source), source->size) == 0)
        return false;
    text_release(before);
    text_add(before, text_string(source), source->size);
    return true;
}

/* Opens the exercise of a file, unless it is open. */
static bool take_exercise(struct watch *watch, const char *name, struct error *reterr)
{
    struct exercise *exercise;
    const struct catalogue_entry *entry = catalogue_entry(&watch->practice.catalogue, name);
    const struct exercise *present = watch->practice.exercise;
    if (entry != NULL && present != NULL && strcmp(entry->id, present->id) == 0)
        return true;
    return exercises_find_one(&watch->practice.catalogue, name, &exercise, reterr) &&
           practice_open_exercise(&watch->practice, exercise, reterr);
}

/* Grades what was saved, and shows it. */
static bool grade(struct watch *watch, const char *path, const struct text *source)
{
    struct judgement judgement;
    if (watch->at_terminal)
        print_heading(watch, "compiling and running");
    practice_grade(&watch->practice, path, text_string(source), source->size, &judgement);
    bool ok = show(watch, &judgement);
    practice_note_attempt(&watch->practice, &judgement);
    judgement_release(&judgement);
    return ok;
}

/* Says an error in the place of a result. */
static void show_problem(struct watch *watch, const struct error *error)
{
    clear_screen(watch);
    (void)fflush(stdout);
    (void)practice_error(error);
    (void)print_status(watch);
}

/* Grades a file when there is something new in it. False when nothing can be shown any more. */
static bool look(struct watch *watch, const char *name)
{
    char path[LEARNER_PATH_BYTES];
    struct text source = {0};
    struct error error;
    bool ok = true;
    if (watch->only[0] != '\0' ? strcmp(name, watch->only) != 0
                               : catalogue_entry(&watch->practice.catalogue, name) == NULL)
        return true;
    int size = snprintf(path, sizeof path, "%s/%s", watch->folder, name);
    if (size < 0 || (size_t)size >= sizeof path || access(path, F_OK) != 0)
        return true; /* it is on its way somewhere else */
    snprintf(watch->name, sizeof watch->name, "%s", name);
    if (!practice_read(path, &source, &error) || !take_exercise(watch, name, &error))
        show_problem(watch, &error);
    else if (is_news(watch, name, &source))
        ok = grade(watch, path, &source);
    text_release(&source);
    return ok;
}

/* ---- the loop ---- */

/* Waits for a key, a signal or the time to look at the saves again. Signals are held back but for
 * the time of waiting, so that none comes unseen between looking for it and waiting. */
static bool wait_for_key(const struct watch *watch)
{
    const struct timespec a_while = {.tv_nsec = SAVES_POLL_MS * 1000000L};
    sigset_t held, before;
    fd_set inputs;
    FD_ZERO(&inputs);
    if (watch->has_keys)
        FD_SET(0, &inputs);
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    sigaddset(&held, SIGTSTP);
    sigprocmask(SIG_BLOCK, &held, &before);
    int ready = 0;
    if (!interrupt_flag && !suspend_flag)
        ready = pselect(1, &inputs, NULL, NULL, &a_while, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ready > 0 && watch->has_keys && FD_ISSET(0, &inputs);
}

static bool look_at_saves(struct watch *watch)
{
    char name[SAVES_NAME_BYTES];
    struct error error;
    bool ok = saves_look(&watch->saves, &error);
    if (ok && watch->saves.n_names > 0) {
        nanosleep(&(struct timespec){.tv_nsec = SETTLE_MS * 1000000L}, NULL);
        ok = saves_look(&watch->saves, &error);
    }
    if (!ok) {
        show_problem(watch, &error);
        return true;
    }
    while (ok && saves_next(&watch->saves, name))
        ok = look(watch, name);
    return ok;
}

static bool show_hint(struct watch *watch)
{
    char path[LEARNER_PATH_BYTES];
    struct exercise *current = NULL;
    const struct exercise *exercise = watch->practice.exercise;
    struct doc doc;
    if (exercise == NULL && learner_current(&watch->practice.catalogue, watch->practice.progress,
                                            watch->folder, &current, path, NULL))
        exercise = current;
    doc_init(&doc);
    bool ok = true;
    if (exercise != NULL) {
        (void)practice_hint(&watch->practice, exercise, &doc);
        ok = !doc.failed && print_doc(&doc, &watch->practice.settings);
    }
    doc_release(&doc);
    exercise_free(current);
    return ok;
}

/* False when watching is over. */
static bool handle_key(struct watch *watch)
{
    char key;
    ssize_t size = read(0, &key, 1);
    if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN))
        return false; /* the terminal has gone */
    if (size < 0)
        return true;
    switch (key) {
    case 'q':
    case 'Q':
    case 'D' - '@':
        return false;
    case 'h':
        return show_hint(watch);
    case ' ':
        return print_doc(&watch->last, &watch->practice.settings) && print_status(watch);
    default:
        return true;
    }
}

static int watch_on(struct watch *watch)
{
    bool goes_on = true;
    while (goes_on && !interrupt_flag && !watch->saves.gone) {
        bool key = wait_for_key(watch);
        if (suspend_flag) {
            /* The shell gets its terminal as it was, and watch takes it again when it goes on. */
            suspend_flag = 0;
            terminal_restore();
            kill(getpid(), SIGSTOP);
            if (watch->has_keys)
                terminal_keys();
        } else if (!interrupt_flag)
            goes_on = (!key || handle_key(watch)) && look_at_saves(watch);
    }
    if (watch->saves.gone) {
        fprintf(stderr, "attn: %s: the folder has gone; attn start makes a new one\n",
                watch->folder);
        return EXIT_UNGRADED;
    }
    return EXIT_OK;
}

/* ---- the start ---- */

static bool choose(struct watch *watch, struct error *reterr)
{
    const char *argument = watch->practice.options.argument;
    char path[LEARNER_PATH_BYTES];
    struct exercise *exercise;
    if (argument == NULL || path_is_folder(argument)) {
        const char *folder = argument != NULL ? argument : ".";
        return learner_folder(&watch->practice.catalogue, folder, watch->folder) ||
               error_set(reterr, ERR_FILE,
                         "%s: no exercises are here; attn start makes a folder with them",
                         argument != NULL ? argument : "this folder");
    }
    if (!learner_find(&watch->practice.catalogue, watch->practice.progress, argument, &exercise,
                      path, reterr))
        return false;
    exercise_free(exercise);
    /* A file is watched in its folder, since editors rename new files over old ones. */
    const char *slash = strrchr(path, '/'), *name = path_base_name(path);
    int size = slash != NULL ? snprintf(watch->folder, sizeof watch->folder, "%.*s",
                                        (int)(slash - path > 0 ? slash - path : 1), path)
                             : snprintf(watch->folder, sizeof watch->folder, ".");
    if (size < 0 || (size_t)size >= sizeof watch->folder || strlen(name) >= sizeof watch->only)
        return error_set(reterr, ERR_FILE, "%s: the path is too long", path);
    memcpy(watch->only, name, strlen(name) + 1);
    return true;
}

/* The file that was being worked on is graded at once. */
static bool look_at_current(struct watch *watch)
{
    char path[LEARNER_PATH_BYTES];
    struct exercise *exercise;
    if (watch->only[0] != '\0')
        return look(watch, watch->only);
    if (!learner_current(&watch->practice.catalogue, watch->practice.progress, watch->folder,
                         &exercise, path, NULL))
        return true;
    exercise_free(exercise);
    return look(watch, path_base_name(path));
}

static int run(struct watch *watch)
{
    struct error error;
    if (!choose(watch, &error) || !practice_prepare(&watch->practice, &error) ||
        !saves_open(watch->folder, &watch->saves, &error))
        return practice_error(&error);
    catch_signals();
    if (watch->has_keys) {
        atexit(terminal_restore);
        terminal_keys();
    }
    printf("attn watches %s%s%s\n", watch->folder, watch->only[0] != '\0' ? "/" : "", watch->only);
    int code = look_at_current(watch) ? watch_on(watch) : EXIT_FAILED;
    terminal_restore();
    return finish_output(true) ? code : EXIT_FAILED;
}

static int watch_main(int argc, char **argv)
{
    struct practice_options options = practice_options(&watch_command, argc, argv);
    struct watch watch = {.at_terminal = isatty(1)};
    struct error error;
    watch.has_keys = watch.at_terminal && isatty(0);
    if (!practice_open(&options, &watch.practice, &error))
        return practice_error(&error);
    doc_init(&watch.last);
    watch.listener = (struct judge_listener){.verdict = tell, .context = &watch};
    watch.practice.listener = &watch.listener;
    int code = run(&watch);
    for (size_t i = 0; i < watch.n_graded; i++)
        text_release(&watch.graded[i].source);
    free(watch.graded);
    saves_close(&watch.saves);
    doc_release(&watch.last);
    practice_close(&watch.practice);
    return code;
}

const struct subcommand watch_command = {
    "watch",
    "[DIR|FILE]",
    "grades a file each time you save it",
    watch_main,
    practice_grading_table,
    .about = "DIR is the exercises' folder, else the present one or attn-exercises in it.",
    .notes = "keys: h the next hint, space the whole of a long result, q quit",
};
