/* How a step of a build went: see outcome.h. */
#include "compile/build_verdict.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "compile/compiler_messages.h"
#include "base/suggestion.h"

enum { LONGEST_LINE = 200 }; /* bytes of a line that is kept as it is */

/* What stands before some words in their line: is it the source as a compiler quotes it, or a
 * message about it? Neither tells of the compiler. The names of programs have none of these signs.
 */
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
static bool says(const struct step *step, const char *words)
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
static bool was_signalled(const struct step *step, const char *signal)
{
    return says(step, signal) &&
           (says(step, "signal terminated program") || step->end.how == BOX_SIGNALLED);
}

static bool ran_out_of_time(const struct step *step, const struct box_limits *limits)
{
    return step->too_long || was_signalled(step, "CPU time limit exceeded") ||
           (limits->cpu_s > 0 && step->end.cpu_us >= (uint64_t)limits->cpu_s * 1000000u);
}

static bool ran_out_of_memory(const struct step *step)
{
    static const char *const words[] = {"out of memory", "virtual memory exhausted",
                                        "annot allocate memory", "std::bad_alloc"};
    bool said = false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        said = said || says(step, words[i]);
    return step->end.out_of_memory || said;
}

static bool crashed(const struct step *step)
{
    return step->end.how == BOX_SIGNALLED || says(step, "internal compiler error") ||
           says(step, "PLEASE submit a bug report");
}

/* How a step failed, in a word; "" when it simply found faults. */
static const char *failure_of(const struct step *step, const struct box_limits *limits)
{
    if (step->too_much || was_signalled(step, "File size limit exceeded") ||
        step_succeeded(step)) /* what it made is too large to be fetched */
        return "output";
    if (ran_out_of_time(step, limits))
        return "time";
    if (ran_out_of_memory(step))
        return "memory";
    return crashed(step) ? "crash" : "";
}

static void explain_failure(const struct compile_request *request, const struct step *step,
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

void outcome_fail(struct build *build, enum verdict verdict, const char *detail)
{
    build->verdict = verdict;
    error_quote(build->detail, sizeof build->detail, detail, strlen(detail));
}

static struct diagnostics_plan reading_of(const struct making *making, bool failed)
{
    return (struct diagnostics_plan){.prototype = &making->request->exercise->prototype,
                                     .limits = making->request->limits,
                                     .file_name = making->file_name,
                                     .failed = failed};
}

/* The begin of messages that nothing could be read from. */
static void keep_as_it_is(const struct making *making, const struct step *step)
{
    const char *at = text_string(&step->printed);
    for (unsigned i = 0; i < making->request->limits->max_errors && *at != '\0'; i++) {
        size_t size = strcspn(at, "\n");
        diagnostics_clean(at, size < LONGEST_LINE ? size : LONGEST_LINE, &making->build->messages);
        text_put(&making->build->messages, size < LONGEST_LINE ? "\n" : "...\n");
        at += size + (at[size] == '\n');
    }
}

/* A call that the filter forbids is the compiler's doing, or the filter's fault. */
static bool fails_internally(struct build *build, const struct step *step)
{
    char detail[64];
    if (step->end.how != BOX_FORBIDDEN)
        return false;
    snprintf(detail, sizeof detail, "the compiler asked for %s", step->end.call);
    outcome_fail(build, VERDICT_INTERNAL_ERROR, detail);
    return true;
}

bool outcome_of_compiling(const struct making *making, const struct step *step, bool made)
{
    struct build *build = making->build;
    bool failed = !step_succeeded(step) || !made;
    struct diagnostics_plan plan = reading_of(making, failed);
    diagnostics_read(&plan, text_string(&step->printed), step->printed.size, &build->messages,
                     &build->plain);
    if (!failed)
        return true;
    if (fails_internally(build, step))
        return false;
    const char *failure = failure_of(step, &making->request->limits->compile);
    outcome_fail(build, VERDICT_COMPILE_ERROR, failure);
    if (failure[0] != '\0') {
        text_clear(&build->plain);
        explain_failure(making->request, step, failure, &build->plain);
    } else if (build->messages.size == 0) {
        keep_as_it_is(making, step);
    }
    return false;
}

static bool is_name_sign(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Adds the name of a function of the file that is called nearly like the one that is missing. */
static void suggest_function(const struct making *making)
{
    const char *function = making->request->exercise->prototype.function;
    const char *source = making->source;
    struct suggestion suggestion;
    char name[PROTOTYPE_MAX_NAME];
    suggestion_init(&suggestion, function, strlen(function));
    for (size_t begin = 0, end; begin < making->size; begin = end + 1) {
        for (end = begin; end < making->size && is_name_sign(source[end]);)
            end++;
        if (end == making->size || source[end] != '(' || end - begin >= sizeof name)
            continue;
        memcpy(name, source + begin, end - begin);
        name[end - begin] = '\0';
        suggestion_try(&suggestion, name);
    }
    if (suggestion.best[0] != '\0' && strcmp(suggestion.best, function) != 0)
        text_format(&making->build->plain, " There is one called %s.", suggestion.best);
}

bool outcome_of_linking(const struct making *making, const struct step *step, bool made)
{
    struct build *build = making->build;
    struct diagnostics_plan plan = reading_of(making, true);
    char detail[64];
    if (step_succeeded(step) && made)
        return true;
    text_clear(&build->messages); /* warnings do not matter now */
    text_clear(&build->plain);
    diagnostics_read_link(&plan, text_string(&step->printed), step->printed.size, &build->messages,
                          &build->plain, detail, sizeof detail);
    if (fails_internally(build, step))
        return false;
    /* An object whose data are too far apart is what not every compiler refuses to make. */
    bool too_large = says(step, "relocation truncated to fit");
    bool no_library = says(step, "cannot find -l") || says(step, "unable to find library");
    const char *failure = too_large    ? "output"
                          : no_library ? OUTCOME_NO_LIBRARY
                                       : failure_of(step, &making->request->limits->compile);
    outcome_fail(build, too_large ? VERDICT_COMPILE_ERROR : VERDICT_LINK_ERROR,
                 detail[0] != '\0' ? detail : failure);
    if (strcmp(detail, "function missing") == 0)
        suggest_function(making);
    if (build->messages.size == 0)
        keep_as_it_is(making, step);
    if (build->plain.size == 0)
        explain_failure(making->request, step, failure, &build->plain);
    return false;
}
