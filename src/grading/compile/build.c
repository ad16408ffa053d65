/* Building a program in two boxes: see compiler.h. In the first box the learner's file becomes an
 * object; in the second it is linked with the runner. No code of the learner's runs in either: the
 * linker gets no plugin that would look into the object for more code to compile. It does not
 * matter what an object can do to its program, since attn believes nothing that the program
 * says. */
#include "compile/compiler.h"

#include <stdio.h>
#include <time.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "compile/arguments_internal.h"
#include "compile/build_ahead.h"
#include "compile/build_cache_internal.h"
#include "compile/build_verdict_internal.h"
#include "compile/compiler_messages.h"
#include "compile/harness_internal.h"
#include "compile/linker_internal.h"
#include "compile/same_options_internal.h"
#include "compile/token_rules_internal.h"
#include "exercise/task.h"
#include "files/file.h"
#include "sandbox/boxed_command.h"
#include "sandbox/elf.h"
#include "sandbox/memory_file.h"

/* ---- a step of the compiler ---- */

static struct boxed_command plan_of(const struct compile_request *request,
                                    const struct arguments *arguments)
{
    return (struct boxed_command){.kind = BOX_COMPILE,
                                  .limits = request->limits,
                                  .layers = request->layers,
                                  .path = request->compiler->path,
                                  .argv = (char *const *)arguments->items,
                                  .input = -1};
}

static void give(struct boxed_command *plan, const char *name, const void *bytes, size_t size)
{
    plan->in[plan->n_in++] = (struct box_file){.name = name, .bytes = bytes, .size = size};
}

/* Runs a step, and counts its time. */
static bool run_step(const struct compile_request *request, const struct boxed_command *plan,
                     struct boxed_result *ret, struct error *reterr)
{
    bool ok = boxed_command_run(plan, ret, reterr);
    compile_count(request, ret);
    return ok;
}

/* The descriptor of a step's result, or -1 if it failed. ran: if not, *error says why the box did
 * not work. */
static int judge_step(const struct build_job *job, bool ran, const struct error *error,
                      const struct boxed_result *step, int fd,
                      bool (*judge)(const struct build_job *, const struct boxed_result *, bool))
{
    const char *lack = ran ? NULL : build_lack_in(error->text);
    if (!ran)
        build_verdict_set(job->build, VERDICT_INTERNAL_ERROR, lack != NULL ? lack : error->text);
    if (!ran || !judge(job, step, fd >= 0))
        file_close(&fd);
    return fd;
}

/* Runs a step that makes one file; its descriptor, or -1. */
static int make_file(const struct build_job *job, struct boxed_command *plan, struct box_file *file,
                     bool (*judge)(const struct build_job *, const struct boxed_result *, bool),
                     uint64_t *ret_us)
{
    struct boxed_result step;
    struct error error;
    plan->out = file;
    plan->n_out = 1;
    bool ran = run_step(job->request, plan, &step, &error);
    file->fd = judge_step(job, ran, &error, &step, file->fd, judge);
    *ret_us += step.wall_us;
    boxed_result_release(&step);
    return file->fd;
}

/* The whole of a file that came out of a box; NULL when it can't be had. */
static void *map_fd(int fd, size_t *ret_size)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || info.st_size <= 0)
        return NULL;
    void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    *ret_size = (size_t)info.st_size;
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* ---- the steps of a build ---- */

/* Was just this file's compiling begun before? */
static bool is_ahead(const struct build_job *job)
{
    const struct build_ahead *ahead = job->request->ahead;
    return ahead != NULL && ahead->step.run != NULL && job->request->also == NULL &&
           !job->request->shows && ahead->layers == job->request->layers &&
           ahead->source.size == job->size &&
           memcmp(text_string(&ahead->source), job->source, job->size) == 0;
}

/* Compiles the learner's file to an object; returns its descriptor, or -1. Meanwhile the linker's
 * box is prepared, if there is a linker. */
static int compile(const struct build_job *job, const struct linker *linker, struct link_step *link)
{
    struct compile_step now = {.run = NULL};
    struct compile_step *step = is_ahead(job) ? &job->request->ahead->step : &now;
    struct boxed_result result = {.too_long = false};
    struct error error = {.text = "not enough memory"};
    int fd = -1;
    bool ran =
        step != &now || compile_step_begin(job->request, job->source, job->size, step, &error);
    if (ran && linker != NULL)
        linker_begin(linker, job->request, link);
    ran = ran && compile_step_end(step, &fd, &result, &error);
    fd = judge_step(job, ran, &error, &result, fd, build_verdict_of_compiling);
    job->build->compile_us += result.wall_us;
    compile_count(job->request, &result);
    boxed_result_release(&result);
    return fd;
}

/* Does a program link that is not a learner's? */
static bool links_at_all(const struct compile_request *request)
{
    static const char nothing[] = "int main(void) { return 0; }\n";
    char path[sizeof request->compiler->path];
    char *argv[] = {path, "-o", PROGRAM_FILE, RUNNER_FILE, "-lm", "-static", NULL};
    struct boxed_result step;
    struct boxed_command plan = {.kind = BOX_COMPILE,
                                 .limits = request->limits,
                                 .layers = request->layers,
                                 .path = request->compiler->path,
                                 .argv = argv,
                                 .input = -1};
    memcpy(path, request->compiler->path, sizeof path);
    if (!box_hides_libraries())
        argv[COUNT_OF(argv) - 2] = NULL;
    give(&plan, RUNNER_FILE, nothing, sizeof nothing - 1);
    bool ok = run_step(request, &plan, &step, NULL) && boxed_result_succeeded(&step);
    boxed_result_release(&step);
    return ok;
}

/* If the linker names no symbol, the fault may be this machine's: it lacks a library, or its
 * compiler makes no static programs. A link without the learner's object decides. */
static void blame_machine(const struct build_job *job)
{
    struct build *build = job->build;
    bool lacks = strcmp(build->detail, BUILD_NO_LIBRARY) == 0;
    bool known = build->lack != NULL && strcmp(build->lack, BUILD_NO_REASON) != 0;
    if (build->verdict != VERDICT_LINK_ERROR || known || (!lacks && build->detail[0] != '\0'))
        return;
    if (links_at_all(job->request))
        build_verdict_set(build, VERDICT_LINK_ERROR, "");
    else
        build_verdict_set(build, VERDICT_INTERNAL_ERROR,
                          lacks ? "the static C library is missing"
                                : "this compiler can't link static programs");
}

static int link_in_box(const struct build_job *job, const struct runtime *runtime,
                       const void *object, size_t size)
{
    const struct compile_request *request = job->request;
    struct arguments arguments;
    struct box_file program = {
        .name = PROGRAM_FILE, .max_size = request->limits->program_bytes, .fd = -1};
    arguments_to_link(request, &arguments);
    struct boxed_command plan = plan_of(request, &arguments);
    give(&plan, RUNNER_OBJECT_FILE, text_string(&runtime->object), runtime->object.size);
    give(&plan, OBJECT_FILE, object, size);
    return make_file(job, &plan, &program, build_verdict_of_linking, &job->build->link_us);
}

/* An object and the runner to a program; its descriptor, or -1. */
static int link_program(const struct build_job *job, const struct runtime *runtime,
                        struct link_step *link, int object_fd)
{
    size_t size = 0;
    void *object = map_fd(object_fd, &size);
    if (object == NULL) {
        build_verdict_set(job->build, VERDICT_INTERNAL_ERROR, "the object can't be read");
        return -1;
    }
    int fd = linker_end(link, job->request, object, size, &job->build->link_us);
    if (fd < 0)
        fd = link_in_box(job, runtime, object, size);
    munmap(object, size);
    blame_machine(job);
    if (fd >= 0 && !box_can_run(fd)) { /* the object asked for a loader of its own */
        build_verdict_set(job->build, VERDICT_LINK_ERROR, "not a static program");
        file_close(&fd);
    }
    return fd;
}

/* Looks for words that the exercise forbids or asks for. */
static bool check_words(const struct build_job *job)
{
    struct build *build = job->build;
    struct token_fault fault = token_rules_check(job->request->exercise, job->source, job->size);
    if (fault.word == NULL)
        return true;
    build_verdict_set(build, VERDICT_COMPILE_ERROR,
                      fault.missing ? "missing word" : "forbidden word");
    text_clear(&build->messages);
    text_clear(&build->plain);
    compiler_messages_clean(job->file_name, strlen(job->file_name), &build->messages);
    if (fault.missing)
        text_format(&build->messages, ": %s is missing\n", fault.word->word);
    else
        text_format(&build->messages, ":%u: %s is not allowed here\n", fault.line,
                    fault.word->word);
    text_put(&build->plain, fault.word->say);
    return false;
}

/* ---- the same options for everybody ---- */

/* Preprocesses the learner's file, which has just compiled. On failure the build has its
 * verdict. */
static bool preprocess(const struct build_job *job, struct boxed_result *ret)
{
    const struct compile_request *request = job->request;
    struct limits limits = *request->limits;
    struct arguments arguments;
    struct text header = {.bytes = NULL}, show = {.bytes = NULL};
    struct error error = {.text = "not enough memory"};
    limits.text_kept_bytes = limits.text_max_bytes = limits.object_bytes;
    arguments_to_preprocess(request, &arguments);
    prototype_header(&request->exercise->prototype, &header);
    struct boxed_command plan = plan_of(request, &arguments);
    plan.limits = &limits;
    give(&plan, SUBMISSION_FILE, job->source, job->size);
    give(&plan, HEADER_FILE, text_string(&header), header.size);
    show_header(request->shows ? SHOW_TO_RUNNER : SHOW_NOTHING, &show);
    give(&plan, SHOW_HEADER_FILE, text_string(&show), show.size);
    *ret = (struct boxed_result){.too_long = false};
    bool ok = !header.failed && !show.failed && run_step(request, &plan, ret, &error) &&
              !ret->printed.failed;
    text_release(&header);
    text_release(&show);
    if (!ok) {
        build_verdict_set(job->build, VERDICT_INTERNAL_ERROR, error.text);
    } else if (!boxed_result_succeeded(ret)) {
        build_verdict_set(job->build, VERDICT_COMPILE_ERROR, ret->too_much ? "output" : "time");
        job->build->lack = "the preprocessor fails here";
    }
    return ok && boxed_result_succeeded(ret);
}

static void refuse_options(const struct build_job *job, const struct option_fault *fault)
{
    struct build *build = job->build;
    build_verdict_set(build, VERDICT_COMPILE_ERROR, "other options");
    text_clear(&build->messages);
    text_clear(&build->plain);
    compiler_messages_clean(job->file_name, strlen(job->file_name), &build->messages);
    text_format(&build->messages, ":%u: %s is not allowed here\n", fault->line, fault->what);
    text_format(&build->plain,
                "Line %u: %s tells the compiler how to optimise. The plain version that yours is "
                "timed against has no such line: both are compiled with the same options, and what "
                "counts is how the function is written. Leave it out.",
                fault->line, fault->what);
}

/* Compiles text that was preprocessed before; its object's descriptor, or -1. */
static int compile_preprocessed(const struct build_job *job, const struct text *text)
{
    struct arguments arguments;
    struct box_file object = {
        .name = OBJECT_FILE, .max_size = job->request->limits->object_bytes, .fd = -1};
    arguments_to_compile_preprocessed(job->request, &arguments);
    struct boxed_command plan = plan_of(job->request, &arguments);
    give(&plan, SUBMISSION_FILE, text_string(text), text->size);
    return make_file(job, &plan, &object, build_verdict_of_compiling, &job->build->compile_us);
}

/* A function that is timed beside the plain version may not ask for other options than that has.
 * The text that was looked at is compiled: the file itself may preprocess to another text each
 * time, by __has_include() of what lies in the folder just then. So *object_fd is replaced by the
 * object of the text that was looked at. */
static bool check_options(const struct build_job *job, int *object_fd)
{
    struct option_fault fault = {.line = 0};
    struct boxed_result step;
    if (job->request->exercise->speed == NULL || !compiler_is_gcc_like(job->request->compiler))
        return true;
    bool ok = preprocess(job, &step);
    if (ok)
        fault = same_options_check(text_string(&step.printed), step.printed.size);
    if (ok && fault.line == 0) {
        file_close(object_fd);
        *object_fd = compile_preprocessed(job, &step.printed);
    }
    boxed_result_release(&step);
    if (fault.line > 0)
        refuse_options(job, &fault);
    return ok && fault.line == 0 && *object_fd >= 0;
}

static bool build_once(const struct build_job *job, const struct runtime *runtime)
{
    struct link_step link = {.run = NULL};
    int object_fd = compile(job, &runtime->linker, &link);
    if (object_fd >= 0 && check_words(job) && check_options(job, &object_fd))
        job->build->program_fd = link_program(job, runtime, &link, object_fd);
    linker_stop(&link);
    file_close(&object_fd);
    return job->build->program_fd >= 0;
}

/* Does a program build that is known to be right, and asks for more than most? *ret, which is to be
 * released, tells why it does not. */
static bool known_program_builds(const struct build_job *job, const struct runtime *runtime,
                                 struct build *ret)
{
    const char *starter = job->request->exercise->starter;
    struct text source = {.bytes = NULL};
    text_put(&source, "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                      "#include <string.h>\n#include <time.h>\n");
    text_put(&source, starter != NULL ? starter : "");
    *ret = (struct build){.verdict = VERDICT_PASS, .program_fd = -1};
    const struct build_job known = {job->request, "attn.c", text_string(&source),
                                    source.size,  ret,      .is_ours = true};
    struct link_step none = {.run = NULL};
    int object_fd = source.failed ? -1 : compile(&known, NULL, NULL);
    if (object_fd >= 0 && starter != NULL && check_options(&known, &object_fd))
        ret->program_fd = link_program(&known, runtime, &none, object_fd);
    bool ok = object_fd >= 0 && (starter == NULL || ret->program_fd >= 0);
    file_close(&object_fd);
    text_release(&source);
    return ok;
}

static void blame_lack(struct build *build, const char *lack)
{
    build_verdict_set(build, VERDICT_INTERNAL_ERROR, lack);
    text_clear(&build->messages);
    text_clear(&build->plain);
}

/* A build failed for lack of some resource. Does the file need too much? A resource that is short
 * while several programs build may be free later, so the file is blamed only if it fails twice. */
static bool find_fault(const struct build_job *job, const struct runtime *runtime)
{
    struct build *build = job->build, known;
    bool runs_long = strcmp(build->detail, "time") == 0;
    bool builds = known_program_builds(job, runtime, &known);
    if (!builds)
        blame_lack(build, known.lack != NULL ? known.lack : known.detail);
    build_release(&known);
    if (!builds || runs_long)
        return false;
    text_clear(&build->messages);
    text_clear(&build->plain);
    build->verdict = VERDICT_PASS;
    build->detail[0] = '\0';
    build->lack = NULL;
    if (build_once(job, runtime))
        return true;
    if (build->lack != NULL && (strcmp(build->lack, BUILD_NO_PROCESSES) == 0 ||
                                strcmp(build->lack, BUILD_NO_DESCRIPTORS) == 0))
        blame_lack(build, build->lack);
    return false;
}

static bool compile_and_link(const struct build_job *job, const struct runtime *runtime)
{
    if (build_once(job, runtime))
        return true;
    bool is_open = job->build->lack != NULL && job->build->verdict != VERDICT_INTERNAL_ERROR;
    return is_open && find_fault(job, runtime);
}

/* The learner's file and the advisory harness, compiled and linked in one box. */
static void build_sanitized(const struct build_job *job)
{
    const struct compile_request *request = job->request;
    struct arguments arguments;
    struct text header = {.bytes = NULL}, harness = {.bytes = NULL}, show = {.bytes = NULL};
    struct box_file program = {
        .name = PROGRAM_FILE, .max_size = request->limits->program_bytes, .fd = -1};
    if (!compiler_is_gcc_like(request->compiler)) {
        build_verdict_set(job->build, VERDICT_COMPILE_ERROR, "no sanitizers");
        return;
    }
    arguments_to_sanitize(request, &arguments);
    prototype_header(&request->exercise->prototype, &header);
    harness_sanitizer(&request->exercise->prototype, &harness);
    struct boxed_command plan = plan_of(request, &arguments);
    give(&plan, SUBMISSION_FILE, job->source, job->size);
    give(&plan, HEADER_FILE, text_string(&header), header.size);
    give(&plan, SANITIZER_FILE, text_string(&harness), harness.size);
    show_header(SHOW_NOTHING, &show);
    give(&plan, SHOW_HEADER_FILE, text_string(&show), show.size);
    if (!header.failed && !harness.failed && !show.failed)
        job->build->program_fd =
            make_file(job, &plan, &program, build_verdict_of_compiling, &job->build->compile_us);
    text_release(&header);
    text_release(&harness);
    text_release(&show);
}

/* ---- earlier builds ---- */

static void add_arguments(const struct arguments *arguments, struct text *text)
{
    for (unsigned i = 0; i < arguments->n; i++)
        text_format(text, "%s\n", arguments->items[i]);
}

/* The runner is in every key: its text, and how it is compiled. */
static void begin_key(const struct compile_request *request, const char *kind,
                      struct build_key *key)
{
    const struct compiler *compiler = request->compiler;
    struct arguments arguments;
    unsigned number = 2166136261u; /* of the compiler's path, which the key itself holds */
    for (const char *c = compiler->path; *c != '\0'; c++)
        number = (number ^ (unsigned char)*c) * 16777619u;
    *key = (struct build_key){.slot = ""};
    snprintf(key->slot, sizeof key->slot, "%.60s-%08x.%s", request->exercise->id, number, kind);
    for (char *c = key->slot; *c != '\0'; c++)
        if (*c == '/')
            *c = '_';
    text_format(&key->text, "attn %s\n%s\n%s\n", ATTN_VERSION, compiler->path, compiler->version);
    harness_runner(&request->exercise->prototype, &key->text);
    arguments_to_compile_runner(request, &arguments);
    add_arguments(&arguments, &key->text);
}

static void add_words(const struct exercise_word *words, unsigned n, struct text *text)
{
    for (unsigned i = 0; i < n; i++)
        text_format(text, "%s\n", words[i].word);
    text_char(text, '\n');
}

static void program_key(const struct build_job *job, struct build_key *key)
{
    const struct compile_request *request = job->request;
    struct arguments arguments;
    begin_key(request, request->shows ? "shows" : "program", key);
    show_header(request->shows ? SHOW_TO_RUNNER : SHOW_NOTHING, &key->text);
    prototype_header(&request->exercise->prototype, &key->text);
    arguments_to_compile(request, &arguments);
    add_arguments(&arguments, &key->text);
    arguments_to_link(request, &arguments);
    add_arguments(&arguments, &key->text);
    add_words(request->exercise->forbid, request->exercise->n_forbid, &key->text);
    add_words(request->exercise->require, request->exercise->n_require, &key->text);
    if (request->exercise->speed != NULL)
        text_put(&key->text, "same options\n");
    text_format(&key->text, "%s\n%zu\n", job->file_name, job->size);
    text_add(&key->text, job->source, job->size);
}

/* Was the same built before? As build_cache_get(). */
static bool find_built(const struct compile_request *request, const struct build_key *key,
                       int *ret_fd, struct text *words)
{
    if (request->kept != NULL)
        return kept_builds_get(request->kept, key, ret_fd, words);
    return build_cache_get(key, ret_fd, words);
}

/* Keeps the content of a descriptor where find_built() will look. */
static void remember(const struct compile_request *request, const struct build_key *key,
                     const struct text *words, int fd)
{
    size_t size = 0;
    if (request->kept != NULL) {
        kept_builds_put(request->kept, key, words, fd);
        return;
    }
    void *bytes = map_fd(fd, &size);
    if (bytes == NULL)
        return;
    build_cache_put(key, words, bytes, size);
    munmap(bytes, size);
}

void build_keep(const struct compile_request *request, struct build *build)
{
    struct text words = {.bytes = NULL};
    if (build->key.text.size == 0)
        return;
    text_put(&words, text_string(&build->messages));
    text_char(&words, '\0');
    text_put(&words, text_string(&build->plain));
    remember(request, &build->key, &words, build->program_fd);
    text_release(&words);
    build_key_release(&build->key);
}

/* The words about a build are kept as one text: the messages, and after a NUL the sentence. */
static void build_unless_built(const struct build_job *job, const struct runtime *runtime)
{
    struct build *build = job->build;
    struct text words = {.bytes = NULL};
    program_key(job, &build->key);
    if (find_built(job->request, &build->key, &build->program_fd, &words)) {
        const char *messages = text_string(&words);
        size_t size = strlen(messages);
        text_put(&build->messages, messages);
        if (size < words.size)
            text_put(&build->plain, messages + size + 1);
        build_key_release(&build->key);
    } else if (!compile_and_link(job, runtime)) {
        build_key_release(&build->key);
    } else if (!job->request->keeps_later) {
        build_keep(job->request, build);
    }
    text_release(&words);
}

/* ---- programs ---- */

void build_begin(const struct compile_request *request, const char *file_name, const char *source,
                 size_t size, struct build_ahead *ret)
{
    struct build build = {.program_fd = -1};
    const struct build_job job = {request, file_name, source, size, &build, .is_ours = false};
    struct build_key key;
    program_key(&job, &key);
    bool built = request->use_cache && build_cache_get(&key, &build.program_fd, NULL);
    build_key_release(&key);
    build_release(&build);
    *ret = (struct build_ahead){.layers = request->layers};
    text_add(&ret->source, source, size);
    if (!built && !ret->source.failed)
        compile_step_begin(request, source, size, &ret->step, NULL);
}

void build_give_up(struct build_ahead *ahead)
{
    compile_step_stop(&ahead->step);
    text_release(&ahead->source);
}

void build_program(const struct compile_request *request, const struct runtime *runtime,
                   const char *file_name, const char *source, size_t size, struct build *ret)
{
    *ret = (struct build){.verdict = VERDICT_PASS, .program_fd = -1};
    struct build_job job = {request, file_name, source, size, ret, .is_ours = false};
    if (request->sanitize)
        build_sanitized(&job);
    else if (request->use_cache || request->kept != NULL)
        build_unless_built(&job, runtime);
    else
        compile_and_link(&job, runtime);
    bool incomplete = ret->verdict == VERDICT_PASS && ret->program_fd < 0;
    if (incomplete || ret->messages.failed || ret->plain.failed) {
        file_close(&ret->program_fd);
        build_verdict_set(ret, VERDICT_INTERNAL_ERROR, "not enough memory");
    }
}

void build_release(struct build *build)
{
    text_release(&build->messages);
    text_release(&build->plain);
    build_key_release(&build->key);
    file_close(&build->program_fd);
}

/* ---- the runner ---- */

/* Reads the content of a descriptor, and closes it. */
static bool take_object(int fd, struct text *object, struct error *reterr)
{
    size_t size = 0;
    void *bytes = map_fd(fd, &size);
    close(fd);
    if (bytes == NULL)
        return error_set(reterr, ERR_FILE, "the runner: its object can't be read");
    text_add(object, bytes, size);
    munmap(bytes, size);
    if (!object->failed)
        return true;
    text_release(object);
    return error_memory(reterr, "the runner");
}

/* Compiles the runner; its object's descriptor, or -1. */
static int compile_runner(const struct compile_request *request, struct error *reterr)
{
    struct arguments arguments;
    struct text source = {.bytes = NULL};
    struct boxed_result step = {.too_long = false};
    struct box_file object = {
        .name = RUNNER_OBJECT_FILE, .max_size = request->limits->object_bytes, .fd = -1};
    arguments_to_compile_runner(request, &arguments);
    harness_runner(&request->exercise->prototype, &source);
    struct boxed_command plan = plan_of(request, &arguments);
    give(&plan, RUNNER_FILE, text_string(&source), source.size);
    plan.out = &object;
    plan.n_out = 1;
    if (source.failed) {
        error_memory(reterr, "the runner");
    } else if (run_step(request, &plan, &step, reterr) && object.fd < 0) {
        char said[200];
        error_quote(said, sizeof said, text_string(&step.printed), step.printed.size);
        error_set(reterr, ERR_FILE,
                  "the runner: %s can't compile it: %s. Are the C library's headers installed?",
                  request->compiler->path, said);
    }
    boxed_result_release(&step);
    text_release(&source);
    return object.fd;
}

/* Its object as it was built before, or compiled and kept; -1 where neither goes. */
static int find_or_compile_runner(const struct compile_request *request, struct error *reterr)
{
    struct build_key key;
    struct text nothing = {.bytes = NULL};
    int fd = -1;
    begin_key(request, "runner", &key);
    if (!find_built(request, &key, &fd, NULL)) {
        fd = compile_runner(request, reterr);
        if (fd >= 0)
            remember(request, &key, &nothing, fd);
    }
    build_key_release(&key);
    return fd;
}

/* ---- the linker ---- */

static void linker_key(const struct compile_request *request, struct build_key *key)
{
    struct arguments arguments;
    begin_key(request, "linker", key);
    arguments_to_link(request, &arguments);
    add_arguments(&arguments, &key->text);
}

/* Its libraries and words are kept as one text, with a NUL between them. */
static bool find_linker(const struct compile_request *request, const struct build_key *key,
                        struct linker *ret)
{
    struct text words = {.bytes = NULL};
    int fd = -1;
    if (request->kept == NULL ? !build_cache_map(key, &ret->kept, &words)
                              : !kept_builds_get(request->kept, key, &fd, &words) ||
                                    !take_object(fd, &ret->own, NULL))
        return false;
    ret->base = request->kept == NULL ? ret->kept.bytes : ret->own.bytes;
    ret->base_size = request->kept == NULL ? ret->kept.n_bytes : ret->own.size;
    size_t size = strlen(text_string(&words));
    bool ok = !words.failed && size < words.size;
    if (ok) {
        text_add(&ret->libraries, words.bytes, size);
        text_add(&ret->words, words.bytes + size + 1, words.size - size - 1);
    }
    text_release(&words);
    return ok && linker_is_current(ret);
}

static void remember_linker(const struct compile_request *request, const struct build_key *key,
                            const struct linker *linker)
{
    struct text words = {.bytes = NULL};
    const char *base = linker->base_size > 0 ? linker->base : "none";
    int fd = memory_file_open(NULL);
    text_add(&words, text_string(&linker->libraries), linker->libraries.size);
    text_char(&words, '\0');
    text_add(&words, text_string(&linker->words), linker->words.size);
    if (fd >= 0 && file_write_all(fd, base, linker->base_size > 0 ? linker->base_size : 1)) {
        fd = memory_file_finish(fd);
        if (fd >= 0)
            remember(request, key, &words, fd);
    }
    file_close(&fd);
    text_release(&words);
}

/* As it was prepared before, also as one that there is not; or prepared and kept. */
static void find_or_prepare_linker(const struct compile_request *request, struct runtime *runtime)
{
    struct build_key key;
    linker_key(request, &key);
    if (!find_linker(request, &key, &runtime->linker)) {
        linker_release(&runtime->linker);
        linker_prepare(request, &runtime->object, &runtime->linker);
        remember_linker(request, &key, &runtime->linker);
    }
    build_key_release(&key);
}

bool runtime_build(const struct compile_request *request, struct runtime *ret, struct error *reterr)
{
    bool keeps = request->use_cache || request->kept != NULL;
    struct text object = {.bytes = NULL};
    int fd = keeps ? find_or_compile_runner(request, reterr) : compile_runner(request, reterr);
    if (fd < 0 || !take_object(fd, &object, reterr))
        return false;
    *ret = (struct runtime){.object = object};
    if (keeps)
        find_or_prepare_linker(request, ret);
    else if (request->links_many)
        linker_prepare(request, &ret->object, &ret->linker);
    return true;
}

void runtime_release(struct runtime *runtime)
{
    text_release(&runtime->object);
    linker_release(&runtime->linker);
}
