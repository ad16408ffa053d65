/* How a step of a build went: see build_verdict_internal.h. */
#include "compile/build_verdict_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "compile/compiler_messages.h"
#include "base/suggestion.h"
#include "files/file.h"

enum { LONGEST_LINE = 200 }; /* bytes of a line that is kept as it is */

/* Judges the beginning of a line before some words: is it source that a compiler quotes, or a
 * message about it? Neither says anything about the compiler. A program's name has none of these
 * signs. */
static bool is_about_source(const char *line, const char *words)
{
    char before[256];
    size_t size = (size_t)(words - line);
    snprintf(before, sizeof before, "%.*s", (int)(size < sizeof before ? size : sizeof before - 1),
             line);
    return *line == ' ' || *line == '\t' || strpbrk(before, "(\"#;={*") != NULL ||
           strstr(before, ": error: ") != NULL || strstr(before, ": warning: ") != NULL ||
           strstr(before, ": note: ") != NULL;
}

/* Did the compiler say these words, of itself? */
static bool says(const struct boxed_result *step, const char *words)
{
    const char *at = text_string(&step->printed), *found;
    while ((found = strstr(at, words)) != NULL) {
        const char *line = found;
        while (line > step->printed.bytes && line[-1] != '\n')
            line--;
        if (!is_about_source(line, found))
            return true;
        at = found + 1;
    }
    return false;
}

/* Linux names a signal like this when a compiler's part was ended by it. */
static bool was_signalled(const struct boxed_result *step, const char *signal)
{
    return says(step, signal) &&
           (says(step, "signal terminated program") || step->end.how == BOX_SIGNALLED);
}

/* How a step failed, in a word; "" when it simply found faults. */
static const char *failure_of(const struct boxed_result *step, const struct box_limits *limits)
{
    static const char *const out_of_memory[] = {"out of memory", "virtual memory exhausted",
                                                "annot allocate memory", "std::bad_alloc"};
    if (step->too_much || was_signalled(step, "File size limit exceeded") ||
        boxed_result_succeeded(step)) /* its result is too large to be fetched */
        return "output";
    if (step->too_long || was_signalled(step, "CPU time limit exceeded") ||
        (limits->cpu_s > 0 && step->end.cpu_us >= (uint64_t)limits->cpu_s * 1000000u))
        return "time";
    if (step->end.out_of_memory)
        return "memory";
    for (size_t i = 0; i < COUNT_OF(out_of_memory); i++)
        if (says(step, out_of_memory[i]))
            return "memory";
    return step->end.how == BOX_SIGNALLED || says(step, "internal compiler error") ||
                   says(step, "PLEASE submit a bug report")
               ? "crash"
               : "";
}

#define NO_MEMORY "too little memory (ulimit -v)"
#define NO_LARGE_FILES "files may not be as large as needed (ulimit -f)"

/* Resources that this machine may lack, by the system's words for it. */
static const struct {
    const char *words, *lack;
} lacks[] = {
    {"Resource temporarily unavailable", BUILD_NO_PROCESSES},
    {"Too many open files", BUILD_NO_DESCRIPTORS},
    {"descriptors: Invalid argument", BUILD_NO_DESCRIPTORS}, /* a number above the limit */
    {"No space left on device", "no room is left on the disk or in memory"},
    {"Disk quota exceeded", "no room is left on the disk"},
    {"annot allocate memory", NO_MEMORY},
    {"File size limit exceeded", NO_LARGE_FILES},
};
/* The same by the failure, in a word. */
static const struct {
    const char *failure, *lack;
} kinds[] = {
    {"time", "too little processor time (ulimit -t)"},
    {"memory", NO_MEMORY},
    {"output", NO_LARGE_FILES},
    {"crash", "the compiler crashes here"},
};

const char *build_lack_in(const char *words)
{
    for (size_t i = 0; i < COUNT_OF(lacks); i++)
        if (strstr(words, lacks[i].words) != NULL)
            return lacks[i].lack;
    return NULL;
}

/* Does the compiler itself say it, and not one of its parts, which quote the file? */
static bool driver_says(const struct build_job *job, const struct boxed_result *step,
                        const char *words)
{
    const char *name = path_base_name(job->request->compiler->path);
    for (const char *line = text_string(&step->printed), *end; *line != '\0'; line = end) {
        size_t size = strcspn(line, "\n"), n = strlen(name);
        const char *found = strstr(line, words);
        end = line + size + (line[size] == '\n');
        bool own =
            (strncmp(line, name, n) == 0 && line[n] == ':') || strncmp(line, "collect2:", 9) == 0;
        if (own && found != NULL && found < line + size)
            return true;
    }
    return false;
}

/* NULL if the compiler reported faults in the file and nothing else. A file can make parts of a
 * compiler use the words for a lack, which only costs it a second look. */
static const char *lack_of(const struct build_job *job, const struct boxed_result *step,
                           const char *failure, bool told)
{
    const char *lack = told ? NULL : BUILD_NO_REASON;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(failure, kinds[i].failure) == 0)
            lack = kinds[i].lack;
    for (size_t i = 0; i < COUNT_OF(lacks); i++) {
        bool said = strstr(text_string(&step->printed), lacks[i].words) != NULL;
        if (said && (job->is_ours || driver_says(job, step, lacks[i].words)))
            return lacks[i].lack;
        if (said && (lack == NULL || strcmp(lack, BUILD_NO_REASON) == 0))
            lack = "the compiler fails here";
    }
    return lack;
}

static void explain_failure(const struct compile_request *request, const struct boxed_result *step,
                            const char *failure, struct text *plain)
{
    const struct limits *limits = request->limits;
    if (strcmp(failure, "time") == 0)
        text_format(plain, "The compiler had not finished after %u seconds.",
                    step->too_long ? limits->compile.wall_ms / 1000 : limits->compile.cpu_s);
    else if (strcmp(failure, "memory") == 0)
        text_put(plain, "The compiler ran out of memory over this file.");
    else if (strcmp(failure, "output") == 0 && step->too_much)
        text_put(plain, "The compiler had far too many complaints about this file.");
    else if (strcmp(failure, "output") == 0)
        text_put(plain, "What the compiler made of this file is too large. Is there a huge array "
                        "with initial values?");
    else if (strcmp(failure, "crash") == 0)
        text_put(plain, "The compiler itself crashed over this file.");
}

void build_verdict_set(struct build *build, enum verdict verdict, const char *detail)
{
    build->verdict = verdict;
    error_quote(build->detail, sizeof build->detail, detail, strlen(detail));
}

static struct compiler_messages_plan reading_of(const struct build_job *job, bool failed)
{
    return (struct compiler_messages_plan){.prototype = &job->request->exercise->prototype,
                                           .limits = job->request->limits,
                                           .hints = job->request->hints,
                                           .file_name = job->file_name,
                                           .failed = failed};
}

/* The begin of messages that nothing could be read from. */
static void keep_as_it_is(const struct build_job *job, const struct boxed_result *step)
{
    const char *at = text_string(&step->printed);
    for (unsigned i = 0; i < job->request->limits->max_errors && *at != '\0'; i++) {
        size_t size = strcspn(at, "\n");
        compiler_messages_clean(at, size < LONGEST_LINE ? size : LONGEST_LINE,
                                &job->build->messages);
        text_put(&job->build->messages, size < LONGEST_LINE ? "\n" : "...\n");
        at += size + (at[size] == '\n');
    }
}

/* A call that the filter forbids is the compiler's doing, or the filter's fault. */
static bool fails_internally(struct build *build, const struct boxed_result *step)
{
    char detail[64];
    if (step->end.how != BOX_FORBIDDEN)
        return false;
    snprintf(detail, sizeof detail, "the compiler asked for %s", step->end.call);
    build_verdict_set(build, VERDICT_INTERNAL_ERROR, detail);
    return true;
}

bool build_verdict_of_compiling(const struct build_job *job, const struct boxed_result *step,
                                bool made)
{
    struct build *build = job->build;
    bool failed = !boxed_result_succeeded(step) || !made;
    struct compiler_messages_plan plan = reading_of(job, failed);
    compiler_messages_read(&plan, text_string(&step->printed), step->printed.size, &build->messages,
                           &build->plain);
    if (!failed)
        return true;
    if (fails_internally(build, step))
        return false;
    const char *failure = failure_of(step, &job->request->limits->compile);
    build->lack = lack_of(job, step, failure, build->messages.size > 0);
    build_verdict_set(build, VERDICT_COMPILE_ERROR, failure);
    if (failure[0] != '\0') {
        text_clear(&build->plain);
        explain_failure(job->request, step, failure, &build->plain);
    } else if (build->messages.size == 0) {
        keep_as_it_is(job, step);
    }
    return false;
}

static bool is_name_sign(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Adds the name of a function of the file that is called nearly like the one that is missing. */
static void suggest_function(const struct build_job *job)
{
    const char *function = job->request->exercise->prototype.function;
    const char *source = job->source;
    struct suggestion suggestion;
    char name[PROTOTYPE_MAX_NAME];
    suggestion_init(&suggestion, function, strlen(function));
    for (size_t begin = 0, end; begin < job->size; begin = end + 1) {
        for (end = begin; end < job->size && is_name_sign(source[end]);)
            end++;
        if (end == job->size || source[end] != '(' || end - begin >= sizeof name)
            continue;
        memcpy(name, source + begin, end - begin);
        name[end - begin] = '\0';
        suggestion_try(&suggestion, name);
    }
    if (suggestion.best[0] != '\0' && strcmp(suggestion.best, function) != 0)
        text_format(&job->build->plain, " There is one called %s.", suggestion.best);
}

bool build_verdict_of_linking(const struct build_job *job, const struct boxed_result *step,
                              bool made)
{
    struct build *build = job->build;
    struct compiler_messages_plan plan = reading_of(job, true);
    char detail[64];
    if (boxed_result_succeeded(step) && made)
        return true;
    text_clear(&build->messages); /* warnings do not matter now */
    text_clear(&build->plain);
    compiler_messages_read_link(&plan, text_string(&step->printed), step->printed.size,
                                &build->messages, &build->plain, detail, sizeof detail);
    if (fails_internally(build, step))
        return false;
    /* Some compilers refuse to make an object whose data are too far apart. */
    bool too_large = says(step, "relocation truncated to fit");
    bool no_library = says(step, "cannot find -l") || says(step, "unable to find library");
    const char *failure = too_large    ? "output"
                          : no_library ? BUILD_NO_LIBRARY
                                       : failure_of(step, &job->request->limits->compile);
    if (!too_large && !no_library)
        build->lack = lack_of(job, step, failure, build->messages.size > 0);
    build_verdict_set(build, too_large ? VERDICT_COMPILE_ERROR : VERDICT_LINK_ERROR,
                      detail[0] != '\0' ? detail : failure);
    if (strcmp(detail, "function missing") == 0)
        suggest_function(job);
    if (build->messages.size == 0)
        keep_as_it_is(job, step);
    if (build->plain.size == 0)
        explain_failure(job->request, step, failure, &build->plain);
    return false;
}
