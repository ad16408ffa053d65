/* The linker itself: see linker_internal.h. */
#include "compile/linker_internal.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "base/array.h"
#include "compile/arguments.h"
#include "compile/compile_step_internal.h"
#include "files/file.h"
#include "sandbox/boxed_command.h"

enum {
    LINKER_MAX_WORDS = 96,
    TRIAL_FDS = 5, /* the descriptors that the runner knows before it maps anything */
    TRIAL_MS = 2000,
};

/* ---- the compiler's words ---- */

/* Takes one word as a shell would, and moves *at behind it. The word with its NUL goes to words.
 * False where quotes are not understood. */
static bool take_word(const char **at, const char *end, struct text *words)
{
    const char *c = *at;
    bool quoted = false;
    for (; c < end && (quoted || *c != ' '); c++) {
        if (*c == '"') {
            quoted = !quoted;
            continue;
        }
        if (*c == '\\')
            c++;
        if (c == end || *c == '\'')
            return false;
        text_char(words, *c);
    }
    *at = c;
    text_char(words, '\0');
    return !quoted;
}

static bool take_words(const char *at, const char *end, struct text *words)
{
    bool ok = true;
    while (ok && at < end) {
        if (*at == ' ')
            at++;
        else
            ok = take_word(&at, end, words);
    }
    return ok && !words->failed;
}

/* The last line that is a command: gcc and clang begin it with a blank. */
static const char *last_command(const struct text *printed, const char **ret_end)
{
    const char *found = NULL;
    for (const char *line = text_string(printed); *line != '\0';) {
        size_t size = strcspn(line, "\n");
        if (*line == ' ') {
            found = line;
            *ret_end = line + size;
        }
        line += size + (line[size] == '\n');
    }
    return found;
}

/* Splits words, each ended by a NUL, into items; false when they are too many. */
static bool list_words(const struct text *words, const char *items[LINKER_MAX_WORDS + 1],
                       unsigned *ret_n)
{
    const char *at = text_string(words), *end = at + words->size;
    unsigned n = 0;
    for (; at < end && n + 1 < LINKER_MAX_WORDS; at += strlen(at) + 1)
        items[n++] = at;
    items[n] = NULL;
    *ret_n = n;
    return at == end && n > 0;
}

static unsigned count(const char *const *items, unsigned n, const char *word)
{
    unsigned times = 0;
    for (unsigned i = 0; i < n; i++)
        times += strcmp(items[i], word) == 0;
    return times;
}

static bool is_linker(const char *path)
{
    static const char *const names[] = {"collect2", "ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(path_base_name(path), names[i]) == 0)
            return path[0] == '/';
    return false;
}

/* One command that links our two files to our program, and reads nothing else of ours. */
static bool is_understood(const char *const *items, unsigned n)
{
    bool ok = n > 0 && is_linker(items[0]) && count(items, n, RUNNER_OBJECT_FILE) == 1 &&
              count(items, n, OBJECT_FILE) == 1 && count(items, n, "-o") == 1 &&
              count(items, n, PROGRAM_FILE) == 1 && count(items, n, "-static") == 1;
    for (unsigned i = 1; ok && i < n; i++)
        ok =
            items[i][0] != '@' && strncmp(items[i], "-plugin", 7) != 0 &&
            (strcmp(items[i], "-o") != 0 || (i + 1 < n && strcmp(items[i + 1], PROGRAM_FILE) == 0));
    return ok;
}

/* ---- asking ---- */

/* The compiler's output for some arguments, with the two objects in place. */
static bool ask(const struct compile_request *request, const struct text *object,
                const struct arguments *arguments, struct boxed_result *ret)
{
    const struct boxed_command plan = {
        .kind = BOX_COMPILE,
        .limits = request->limits,
        .layers = request->layers,
        .path = request->compiler->path,
        .argv = (char *const *)arguments->items,
        .input = -1,
        .in = {{.name = RUNNER_OBJECT_FILE, .bytes = object->bytes, .size = object->size},
               {.name = OBJECT_FILE, .bytes = object->bytes, .size = object->size}},
        .n_in = 2};
    bool ok =
        boxed_command_run(&plan, ret, NULL) && boxed_result_succeeded(ret) && !ret->printed.failed;
    compile_count(request, ret);
    return ok;
}

/* GCC's collect2 only looks for another program, which is the linker: that one in its place. */
static bool name_linker(const struct compile_request *request, const struct text *object,
                        const char *first, struct text *words)
{
    static const char *const folders[] = {"/usr/bin/", "/bin/"}; /* the PATH of a box */
    struct arguments arguments = {.items = {request->compiler->path, "-print-prog-name=ld"},
                                  .n = 2};
    struct boxed_result said = {.too_long = false};
    bool ok = true;
    if (strcmp(path_base_name(first), "collect2") != 0) {
        text_put(words, first);
    } else if ((ok = ask(request, object, &arguments, &said))) {
        const char *name = text_string(&said.printed);
        size_t size = strcspn(name, "\n");
        for (size_t i = 0; i < COUNT_OF(folders) && words->size == 0; i++) {
            text_format(words, "%s%.*s", name[0] == '/' ? "" : folders[i], (int)size, name);
            if (!path_is_program(text_string(words)))
                text_clear(words);
        }
    }
    ok = ok && words->size > 0;
    text_char(words, '\0');
    boxed_result_release(&said);
    return ok;
}

/* The linker's path and arguments, as the compiler would call it; false if they are not
 * understood. */
static bool learn_words(const struct compile_request *request, const struct text *object,
                        struct text *words)
{
    struct arguments arguments;
    struct boxed_result said = {.too_long = false};
    struct text all = {.bytes = NULL};
    const char *items[LINKER_MAX_WORDS + 1], *command = NULL, *end = NULL;
    unsigned n = 0;
    arguments_to_link(request, &arguments);
    arguments.items[arguments.n++] = "-###"; /* prints its commands, and runs none */
    arguments.items[arguments.n] = NULL;
    if (ask(request, object, &arguments, &said))
        command = last_command(&said.printed, &end);
    bool ok = command != NULL && take_words(command, end, &all) && list_words(&all, items, &n) &&
              is_understood(items, n) && name_linker(request, object, items[0], words);
    for (unsigned i = 1; ok && i < n; i++) {
        /* The first is collect2's alone, and nobody needs the build id. */
        if (strcmp(items[i], "-fno-lto") == 0 || strncmp(items[i], "--build-id", 10) == 0)
            continue;
        bool runner = strcmp(items[i], RUNNER_OBJECT_FILE) == 0;
        text_put(words, runner ? BASE_OBJECT_FILE : items[i]);
        text_char(words, '\0');
    }
    boxed_result_release(&said);
    text_release(&all);
    return ok && !words->failed;
}

/* ---- the base ---- */

/* The function that calls main(). The C library has some of these functions for other kinds of
 * programs, so they go into the base together. */
static bool is_start(const char *word)
{
    return text_ends_with(word, "/crt1.o");
}

/* The arguments that turn the base and a learner's object into a program, the linker's path first.
 * They are the linker's. */
static void arguments_to_finish(const struct linker *linker, char *argv[LINKER_MAX_WORDS + 1])
{
    static char no_symbols[] = "-s";
    const char *items[LINKER_MAX_WORDS + 1];
    unsigned n = 0, n_kept = 0;
    list_words(&linker->words, items, &n);
    for (unsigned i = 0; i < n; i++)
        if (!is_start(items[i]))
            argv[n_kept++] = ((char **)items)[i];
    argv[n_kept++] = no_symbols;
    argv[n_kept] = NULL;
}

/* Does the word say which libraries there are, or which functions stand for others? */
static bool is_for_base(const char *word)
{
    static const char *const begins[] = {
        "-L", "-l", "--wrap", "--sysroot", "-static", "--start-group", "--end-group"};
    for (size_t i = 0; i < COUNT_OF(begins); i++)
        if (strncmp(word, begins[i], strlen(begins[i])) == 0)
            return true;
    return is_start(word);
}

/* The arguments that make the base of the runner's object: -r keeps all that a later step of the
 * linker has to know. */
static bool arguments_to_base(const struct linker *linker, char *argv[LINKER_MAX_WORDS + 1])
{
    static char relocatable[] = "-r", no_locals[] = "-x", output[] = "-o",
                base[] = BASE_OBJECT_FILE, runner[] = RUNNER_OBJECT_FILE;
    const char *items[LINKER_MAX_WORDS + 1];
    char *const *all = (char *const *)items;
    unsigned n = 0, n_items;
    list_words(&linker->words, items, &n_items);
    argv[n++] = all[0];
    argv[n++] = relocatable;
    argv[n++] = no_locals;
    argv[n++] = output;
    argv[n++] = base;
    for (unsigned i = 1; all[i] != NULL && n + 2 < LINKER_MAX_WORDS; i++) {
        bool two = strcmp(all[i], "-m") == 0 || strcmp(all[i], "--wrap") == 0;
        if (strcmp(all[i], BASE_OBJECT_FILE) == 0)
            argv[n++] = runner;
        else if (two || is_for_base(all[i]))
            argv[n++] = all[i];
        if (two && all[i + 1] != NULL)
            argv[n++] = all[++i];
    }
    argv[n] = NULL;
    return n + 2 < LINKER_MAX_WORDS;
}

/* Runs the linker; returns the descriptor of its result, or -1. */
static int run_linker(const struct compile_request *request, char *const *argv,
                      struct box_file object, const char *made)
{
    struct boxed_result step = {.too_long = false};
    struct box_file file = {.name = made, .max_size = request->limits->program_bytes, .fd = -1};
    const struct boxed_command plan = {.kind = BOX_COMPILE,
                                       .limits = request->limits,
                                       .layers = request->layers,
                                       .path = argv[0],
                                       .argv = argv,
                                       .input = -1,
                                       .in = {object},
                                       .n_in = 1,
                                       .out = &file,
                                       .n_out = 1};
    if (!boxed_command_run(&plan, &step, NULL) || !boxed_result_succeeded(&step))
        file_close(&file.fd);
    compile_count(request, &step);
    boxed_result_release(&step);
    return file.fd;
}

static bool make_base(const struct compile_request *request, const struct text *object,
                      struct linker *linker)
{
    char *argv[LINKER_MAX_WORDS + 1];
    const struct box_file runner = {
        .name = RUNNER_OBJECT_FILE, .bytes = object->bytes, .size = object->size};
    struct stat info;
    int fd =
        arguments_to_base(linker, argv) ? run_linker(request, argv, runner, BASE_OBJECT_FILE) : -1;
    if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            text_add(&linker->own, bytes, (size_t)info.st_size);
            munmap(bytes, (size_t)info.st_size);
        }
    }
    file_close(&fd);
    linker->base = linker->own.bytes;
    linker->base_size = linker->own.size;
    return linker->base_size > 0 && !linker->own.failed;
}

/* ---- the trial ---- */

/* Waits for the end; ends a program that takes too long. */
static void wait_for_end(struct box *box)
{
    const struct timespec a_while = {.tv_nsec = 1000000};
    for (unsigned i = 0; i < TRIAL_MS && !box_ended(box); i++) {
        struct pollfd ends = {.fd = box_pidfd(box), .events = POLLIN};
        if (ends.fd < 0)
            nanosleep(&a_while, NULL);
        else if (poll(&ends, 1, TRIAL_MS) == 0)
            break;
    }
    if (!box_ended(box))
        box_kill(box);
}

/* Whether a program that nobody asks anything starts, and ends as the runner does. */
static bool runs(const struct compile_request *request, int program_fd)
{
    char name[] = "runner", *argv[] = {name, NULL};
    const struct box_plan plan = {.kind = BOX_RUN,
                                  .layers = request->layers,
                                  .limits = request->limits->run,
                                  .program_fd = program_fd,
                                  .argv = argv,
                                  .fds = {-1, -1, -1, -1, -1},
                                  .n_fds = TRIAL_FDS};
    struct box *box;
    struct box_end end;
    if (!box_can_run(program_fd) || !box_start(&plan, &box, NULL))
        return false;
    wait_for_end(box);
    box_collect(box, &end);
    return end.how == BOX_EXITED && end.code == 0;
}

/* Links the base with a function that lies nowhere, and runs that. */
static bool stands_trial(const struct compile_request *request, const struct linker *linker)
{
    char *argv[LINKER_MAX_WORDS + 1], stand_in[PROTOTYPE_MAX_NAME + 16];
    arguments_to_finish(linker, argv);
    snprintf(stand_in, sizeof stand_in, "--defsym=%s=0", request->exercise->prototype.function);
    for (unsigned i = 0; argv[i] != NULL; i++)
        if (strcmp(argv[i], OBJECT_FILE) == 0)
            argv[i] = stand_in;
    const struct box_file base = {
        .name = BASE_OBJECT_FILE, .bytes = linker->base, .size = linker->base_size};
    int fd = run_linker(request, argv, base, PROGRAM_FILE);
    bool ok = fd >= 0 && runs(request, fd);
    file_close(&fd);
    return ok;
}

/* ---- the libraries ---- */

static void note_file(const char *path, struct text *libraries)
{
    struct stat info;
    if (stat(path, &info) == 0)
        text_format(libraries, "%s %jd %jd %jd\n", path, (intmax_t)info.st_size,
                    (intmax_t)info.st_mtim.tv_sec, (intmax_t)info.st_mtim.tv_nsec);
}

/* The files that the words name, each with its size and time: who replaces one changes that. */
static void note_libraries(const struct linker *linker, struct text *libraries)
{
    const char *items[LINKER_MAX_WORDS + 1];
    unsigned n = 0;
    char path[1024];
    list_words(&linker->words, items, &n);
    for (unsigned i = 0; i < n; i++) {
        if (items[i][0] == '/')
            note_file(items[i], libraries);
        for (unsigned j = 0; strncmp(items[i], "-l", 2) == 0 && j < n; j++)
            if (strncmp(items[j], "-L", 2) == 0) {
                snprintf(path, sizeof path, "%s/lib%s.a", items[j] + 2, items[i] + 2);
                note_file(path, libraries);
            }
    }
}

/* ---- the whole ---- */

void linker_release(struct linker *linker)
{
    text_release(&linker->words);
    text_release(&linker->libraries);
    text_release(&linker->own);
    build_map_release(&linker->kept);
    *linker = (struct linker){.words = {.bytes = NULL}};
}

void linker_prepare(const struct compile_request *request, const struct text *runner_object,
                    struct linker *ret)
{
    *ret = (struct linker){.words = {.bytes = NULL}};
    bool ok = compiler_is_gcc_like(request->compiler) && box_hides_libraries() &&
              learn_words(request, runner_object, &ret->words) &&
              make_base(request, runner_object, ret) && stands_trial(request, ret);
    note_libraries(ret, &ret->libraries);
    if (!ok || ret->libraries.failed)
        linker_release(ret);
}

bool linker_is_ready(const struct linker *linker)
{
    return linker->words.size > 0;
}

bool linker_is_current(const struct linker *linker)
{
    struct text now = {.bytes = NULL};
    note_libraries(linker, &now);
    bool same = !now.failed && now.size == linker->libraries.size &&
                memcmp(text_string(&now), text_string(&linker->libraries), now.size) == 0;
    text_release(&now);
    return same;
}

void linker_begin(const struct linker *linker, const struct compile_request *request,
                  struct link_step *ret)
{
    char *argv[LINKER_MAX_WORDS + 1];
    ret->run = NULL;
    if (!linker_is_ready(linker))
        return;
    arguments_to_finish(linker, argv);
    ret->program = (struct box_file){
        .name = PROGRAM_FILE, .max_size = request->limits->program_bytes, .fd = -1};
    const struct boxed_command plan = {
        .kind = BOX_COMPILE,
        .limits = request->limits,
        .layers = request->layers,
        .path = argv[0],
        .argv = argv,
        .input = -1,
        .in = {{.name = BASE_OBJECT_FILE, .bytes = linker->base, .size = linker->base_size}},
        .n_in = 1,
        .late = OBJECT_FILE,
        .out = &ret->program,
        .n_out = 1};
    boxed_command_start(&plan, &ret->run, NULL);
}

int linker_end(struct link_step *step, const struct compile_request *request, const void *object,
               size_t size, uint64_t *us)
{
    struct boxed_result result = {.too_long = false};
    if (step->run == NULL)
        return -1;
    if (!boxed_command_feed(step->run, object, size)) {
        linker_stop(step);
        return -1;
    }
    bool ok = boxed_command_finish(step->run, &result, NULL) && boxed_result_succeeded(&result);
    step->run = NULL;
    if (!ok)
        file_close(&step->program.fd);
    *us += result.wall_us;
    compile_count(request, &result);
    boxed_result_release(&result);
    return step->program.fd;
}

void linker_stop(struct link_step *step)
{
    boxed_command_stop(step->run);
    step->run = NULL;
}
