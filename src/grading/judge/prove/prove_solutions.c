/* Right solutions must pass, wrong ones be named, the starter fail: see prove.h. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/file.h"
#include "judge/prove/prove_internal.h"
#include "result/source.h"

enum { LEAST_RIGHT = 3, PATH_BYTES = 4096 };

struct proof {
    const struct judge_setup *setup;
    const struct exercise *exercise;
    const char *folder;
    struct prove_report *report;
    struct error *reterr;
};

struct file_list {
    struct dirent **entries;
    size_t n;
};

static int is_c_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && text_ends_with(entry->d_name, ".c");
}

/* The .c files of a folder, by name. A missing folder has no files; the missing solutions are
 * reported then. To be released. */
static bool files_list(const struct proof *proof, const char *part, struct file_list *ret)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", proof->folder, part);
    *ret = (struct file_list){0};
    errno = 0;
    int n = scandir(path, &ret->entries, is_c_file, alphasort);
    if (n < 0 && errno == ENOMEM)
        return error_memory(proof->reterr, "a proof");
    ret->n = n > 0 ? (size_t)n : 0;
    return true;
}

static void files_release(struct file_list *files)
{
    for (size_t i = 0; i < files->n; i++)
        free(files->entries[i]);
    free(files->entries);
}

/* ---- what came of a solution ---- */

static const char *first_line(const struct text *text, char *line, size_t capacity)
{
    const char *string = text_string(text);
    error_quote(line, capacity, string, strcspn(string, "\n"));
    return line;
}

/* Adds the fault "PATH: wrong_answer (not written) in 'larger': weights[2, 3] is 0.5, not 0.25; it
 * was named as a; WANTED". */
static void solution_fault(const struct proof *proof, const char *path,
                           const struct judgement *judgement, const char *wanted)
{
    const struct result *result = &judgement->result;
    const struct difference *difference = &judgement->difference;
    bool has_run = result->verdict != VERDICT_PASS && result->verdict != VERDICT_COMPILE_ERROR &&
                   result->verdict != VERDICT_LINK_ERROR &&
                   result->verdict != VERDICT_NOT_IMPLEMENTED;
    char place[64], line[200];
    struct text what = {0};
    text_put(&what, verdict_name(result->verdict));
    if (result->detail != NULL && result->detail[0] != '\0')
        text_format(&what, " (%s)", result->detail);
    if (judgement->fixture != NULL)
        text_format(&what, " in '%s'", judgement->fixture->name);
    if (judgement->fixture != NULL && difference->verdict != VERDICT_PASS)
        text_format(&what, ": %s%s is %.9g, not %.9g",
                    proof->exercise->arrays[difference->array].name,
                    fixture_place(&judgement->fixture->arrays[difference->array], difference->cell,
                                  place, sizeof place),
                    isnan(difference->got) ? (double)NAN : difference->got, /* never -nan */
                    difference->expected);
    if (judgement->build.messages.size > 0)
        text_format(&what, ": %s", first_line(&judgement->build.messages, line, sizeof line));
    for (size_t i = 0; i < judgement->diagnosis.n_ideas; i++)
        text_format(&what, "%s%s", i == 0 ? "; it was named as " : " and ",
                    judgement->diagnosis.ideas[i]->id);
    if (has_run && judgement->diagnosis.n_ideas == 0)
        text_put(&what, "; no misconception was named");
    prove_fault(proof->report, path, "%s; %s", text_string(&what), wanted);
    text_release(&what);
}

/* False when it could not be judged, which is our failure. */
static bool judge_text(const struct proof *proof, const char *path, const char *source, size_t size,
                       unsigned options, struct judgement *ret)
{
    judge_submission(proof->setup, path_base_name(path), source, size, options | JUDGE_NO_LINE,
                     ret);
    if (ret->result.verdict != VERDICT_INTERNAL_ERROR)
        return true;
    error_set(proof->reterr, ERR_FILE, "%s: it could not be judged: %s", path,
              ret->result.detail != NULL ? ret->result.detail : "not enough memory");
    judgement_release(ret);
    return false;
}

/* Judges a file; what can't be read is a fault, and *ret_judged false. */
static bool judge_file(const struct proof *proof, const char *path, unsigned options,
                       struct judgement *ret, bool *ret_judged)
{
    struct text source = {0};
    const char *why;
    *ret_judged = source_read(path, proof->setup->plan.limits->source_bytes, &source, &why);
    if (!*ret_judged) {
        prove_fault(proof->report, path, "it can't be read: %s", why);
        return true;
    }
    bool ok = judge_text(proof, path, text_string(&source), source.size, options, ret);
    text_release(&source);
    return ok;
}

/* ---- right solutions ---- */

static bool prove_right(const struct proof *proof, const char *name)
{
    char path[PATH_BYTES];
    struct judgement judgement;
    bool judged;
    snprintf(path, sizeof path, "%s/right/%s", proof->folder, name);
    if (!judge_file(proof, path, 0, &judgement, &judged))
        return false;
    if (!judged)
        return true;
    if (judgement.result.verdict != VERDICT_PASS)
        solution_fault(proof, path, &judgement, "it must pass");
    judgement_release(&judgement);
    proof->report->n_right++;
    return true;
}

static bool prove_rights(const struct proof *proof)
{
    struct file_list files;
    bool ok = files_list(proof, "right", &files);
    for (size_t i = 0; ok && i < files.n; i++)
        ok = prove_right(proof, files.entries[i]->d_name);
    if (ok && files.n < LEAST_RIGHT)
        prove_fault(proof->report, proof->folder,
                    "%zu right solutions in right/; at least %d different ones must pass", files.n,
                    LEAST_RIGHT);
    files_release(&files);
    return ok;
}

/* A version of the ladder may be as slow as it likes. */
static bool prove_rung(const struct proof *proof, const struct exercise_rung *rung)
{
    char path[PATH_BYTES];
    struct judgement judgement;
    bool judged;
    snprintf(path, sizeof path, "%s/ladder/%s", proof->folder, rung->file);
    if (!judge_file(proof, path, JUDGE_NO_IDEAS, &judgement, &judged))
        return false;
    if (!judged)
        return true;
    if (judgement.result.verdict != VERDICT_PASS && judgement.result.verdict != VERDICT_TOO_SLOW)
        solution_fault(proof, path, &judgement, "only its speed may be against it");
    judgement_release(&judgement);
    return true;
}

static bool prove_ladder(const struct proof *proof)
{
    const struct exercise_speed *speed = proof->exercise->speed;
    bool ok = true;
    for (unsigned i = 0; ok && speed != NULL && i < speed->n_ladder; i++)
        ok = prove_rung(proof, &speed->ladder[i]);
    return ok;
}

/* ---- wrong solutions ---- */

/* The ideas that a file is named after. */
struct wanted_ideas {
    const struct misconception *ideas[DIAGNOSIS_MAX_IDEAS];
    size_t n;
};

static const struct misconception *find_idea(const struct exercise *exercise, const char *id,
                                             size_t size)
{
    for (unsigned i = 0; i < exercise->n_misconceptions; i++) {
        if (text_equals(id, size, exercise->misconceptions[i].id))
            return &exercise->misconceptions[i];
    }
    return NULL;
}

/* ID.c, ID.2.c, ID+ID2.c: false when an ID is not one of the exercise's. */
static bool read_name(const struct exercise *exercise, const char *name, struct wanted_ideas *ret)
{
    *ret = (struct wanted_ideas){0};
    for (size_t size;; name += size + 1) {
        size = strcspn(name, "+.");
        const struct misconception *idea = find_idea(exercise, name, size);
        if (idea == NULL || ret->n == DIAGNOSIS_MAX_IDEAS)
            return false;
        ret->ideas[ret->n++] = idea;
        if (name[size] != '+')
            return true;
    }
}

static bool names_idea(const struct diagnosis *diagnosis, const struct misconception *idea)
{
    for (size_t i = 0; i < diagnosis->n_ideas; i++)
        if (diagnosis->ideas[i] == idea)
            return true;
    return false;
}

/* One change of the formula that gives the same numbers as two ideas is named in their place, as
 * find_mistake() has it: one reason is likelier than two. */
static bool is_one_change(const struct exercise *exercise, const struct judgement *judgement,
                          const struct wanted_ideas *wanted)
{
    const struct diagnosis *diagnosis = &judgement->diagnosis;
    if (wanted->n < 2 || diagnosis->n_ideas != 1 || judgement->result.verdict == VERDICT_PASS)
        return false;
    const char *id = diagnosis->ideas[0]->id;
    return find_idea(exercise, id, strlen(id)) == NULL;
}

/* An idea that shows in a gain of speed is proven by the verdict if the gain could not be measured:
 * a busy neighbour on the same core hides it for as long as it likes. */
static bool is_unmeasured(const struct judgement *judgement, const struct wanted_ideas *wanted)
{
    const struct diagnosis *diagnosis = &judgement->diagnosis;
    return wanted->n == 1 && wanted->ideas[0]->faster_with.n > 0 &&
           judgement->result.verdict == VERDICT_TOO_SLOW && diagnosis->n_ideas == 1 &&
           diagnosis->ideas[0]->seen != NULL;
}

/* Were exactly the wanted ideas named, and was the verdict theirs where they have one? */
static bool is_named(const struct exercise *exercise, const struct judgement *judgement,
                     const struct wanted_ideas *wanted)
{
    if (is_one_change(exercise, judgement, wanted) || is_unmeasured(judgement, wanted))
        return true;
    if (judgement->result.verdict == VERDICT_PASS || judgement->diagnosis.n_ideas != wanted->n)
        return false;
    for (size_t i = 0; i < wanted->n; i++) {
        const char *verdict = wanted->ideas[i]->verdict;
        if (!names_idea(&judgement->diagnosis, wanted->ideas[i]) ||
            (verdict != NULL && strcmp(verdict, verdict_name(judgement->result.verdict)) != 0))
            return false;
    }
    return true;
}

static void naming_fault(const struct proof *proof, const char *path,
                         const struct judgement *judgement, const struct wanted_ideas *wanted)
{
    struct text text = {0};
    text_put(&text, "it must fail");
    for (size_t i = 0; i < wanted->n; i++)
        if (wanted->ideas[i]->verdict != NULL)
            text_format(&text, " with %s", wanted->ideas[i]->verdict);
    for (size_t i = 0; i < wanted->n; i++)
        text_format(&text, "%s%s", i == 0 ? " and be named as " : " and ", wanted->ideas[i]->id);
    solution_fault(proof, path, judgement, text_string(&text));
    text_release(&text);
}

static bool prove_wrong(const struct proof *proof, const char *name)
{
    char path[PATH_BYTES];
    struct judgement judgement;
    struct wanted_ideas wanted;
    bool judged;
    snprintf(path, sizeof path, "%s/wrong/%s", proof->folder, name);
    if (!read_name(proof->exercise, name, &wanted)) {
        prove_fault(proof->report, path,
                    "its name is not ID.c, ID.2.c or ID+ID2.c of the exercise's misconceptions");
        return true;
    }
    if (!judge_file(proof, path, 0, &judgement, &judged))
        return false;
    if (!judged)
        return true;
    if (!is_named(proof->exercise, &judgement, &wanted))
        naming_fault(proof, path, &judgement, &wanted);
    judgement_release(&judgement);
    proof->report->n_wrong++;
    return true;
}

static bool prove_wrongs(const struct proof *proof)
{
    struct file_list files;
    bool ok = files_list(proof, "wrong", &files);
    for (size_t i = 0; ok && i < files.n; i++)
        ok = prove_wrong(proof, files.entries[i]->d_name);
    for (unsigned i = 0; ok && i < proof->exercise->n_misconceptions; i++) {
        const char *id = proof->exercise->misconceptions[i].id;
        size_t size = strlen(id);
        bool found = false;
        for (size_t j = 0; j < files.n && !found; j++) {
            const char *name = files.entries[j]->d_name;
            found = strncmp(name, id, size) == 0 && strcmp(name + size, ".c") == 0;
        }
        if (!found)
            prove_fault(proof->report, proof->folder,
                        "wrong/%s.c is missing: the misconception as somebody would write it", id);
    }
    files_release(&files);
    return ok;
}

/* ---- the starter ---- */

/* The judge knows the starter by its text and never builds it. */
static bool build_starter(const struct proof *proof, const char *path)
{
    const struct judge_plan *plan = &proof->setup->plan;
    const struct compiler_hints *hints = &proof->setup->hints;
    const struct exercise *exercise = proof->exercise;
    struct compile_request request = {.compiler = plan->compiler,
                                      .exercise = exercise,
                                      .limits = plan->limits,
                                      .hints = hints->n_hints > 0 ? hints : NULL,
                                      .layers = plan->layers,
                                      .use_cache = plan->use_cache,
                                      .kept = plan->kept};
    struct build build;
    char line[200];
    build_program(&request, &proof->setup->runtime, exercise->starter_name, exercise->starter,
                  strlen(exercise->starter), &build);
    bool ok =
        build.verdict != VERDICT_INTERNAL_ERROR ||
        error_set(proof->reterr, ERR_FILE, "%s: it could not be built: %s", path, build.detail);
    if (ok && (build.verdict != VERDICT_PASS || build.messages.size > 0))
        prove_fault(proof->report, path, "%s: %s; it must compile without a warning",
                    verdict_name(build.verdict), first_line(&build.messages, line, sizeof line));
    build_release(&build);
    return ok;
}

static bool prove_starter(const struct proof *proof)
{
    const struct exercise *exercise = proof->exercise;
    char path[PATH_BYTES];
    struct judgement judgement;
    snprintf(path, sizeof path, "%s/%s", exercise->folder, exercise->starter_name);
    if (!judge_text(proof, path, exercise->starter, strlen(exercise->starter), 0, &judgement))
        return false;
    if (judgement.result.verdict != VERDICT_NOT_IMPLEMENTED)
        solution_fault(proof, path, &judgement, "it must fail, as not_implemented");
    judgement_release(&judgement);
    return build_starter(proof, path);
}

bool prove_solutions(const struct judge_setup *setup, const char *proof_folder,
                     struct prove_report *report, struct error *reterr)
{
    struct proof proof = {.setup = setup,
                          .exercise = setup->plan.exercise,
                          .folder = proof_folder,
                          .report = report,
                          .reterr = reterr};
    return prove_starter(&proof) && prove_rights(&proof) && prove_ladder(&proof) &&
           prove_wrongs(&proof) && doc_check(report->doc, reterr);
}
