/* One result and its json: see result.h. */
#include "result/result.h"

#include <stddef.h>
#include <string.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "files/file.h"

/* ---- verdict ---- */

static const struct {
    const char *name, *sentence;
} verdicts[N_VERDICTS] = {
    [VERDICT_PASS] = {"pass", "Right in every case."},
    [VERDICT_WRONG_ANSWER] = {"wrong_answer", "It runs, but the numbers are not right yet."},
    [VERDICT_NON_FINITE] = {"non_finite",
                            "There is a NaN or an infinity where a number should be."},
    [VERDICT_MODIFIED_INPUTS] = {"modified_inputs", "It changed an array that it may only read."},
    [VERDICT_OUT_OF_BOUNDS] = {"out_of_bounds", "It read or wrote beside an array."},
    [VERDICT_CRASH] = {"crash", "It crashed."},
    [VERDICT_EXITED_EARLY] = {"exited_early", "It left the program instead of returning."},
    [VERDICT_TIME_LIMIT] = {"time_limit", "It ran out of time."},
    [VERDICT_MEMORY_LIMIT] = {"memory_limit", "It asked for more memory than it may use."},
    [VERDICT_OUTPUT_LIMIT] = {"output_limit", "It printed too much."},
    [VERDICT_FORBIDDEN_SYSCALL] = {"forbidden_syscall",
                                   "It asked the system for something a formula does not need."},
    [VERDICT_COMPILE_ERROR] = {"compile_error", "It does not compile."},
    [VERDICT_LINK_ERROR] = {"link_error", "It compiles, but can't be linked."},
    [VERDICT_LEAK] = {"leak", "It allocates memory and never frees it."},
    [VERDICT_TOO_SLOW] = {"too_slow", "It is right, but not fast enough."},
    [VERDICT_NOT_IMPLEMENTED] = {"not_implemented", "It is still the starter."},
    [VERDICT_BAD_FILE] = {"bad_file", "The file can't be graded."},
    [VERDICT_INTERNAL_ERROR] = {"internal_error",
                                "Grading failed; the fault is attn's, not yours."},
    [VERDICT_MISSING] = {"missing", "Nothing was handed in."},
    [VERDICT_UNCLEAR] = {"unclear", "Whether anything was handed in is not clear yet."},
};

const char *verdict_name(enum verdict verdict)
{
    return verdicts[verdict].name;
}

bool verdict_from_name(const char *name, enum verdict *ret)
{
    for (int i = 0; i < N_VERDICTS; i++) {
        if (strcmp(verdicts[i].name, name) == 0) {
            *ret = (enum verdict)i;
            return true;
        }
    }
    return false;
}

bool verdict_is_absent(enum verdict verdict)
{
    return verdict == VERDICT_MISSING || verdict == VERDICT_UNCLEAR;
}

const char *verdict_sentence(enum verdict verdict)
{
    return verdicts[verdict].sentence;
}

/* ---- case group ---- */

static const char *const names[N_CASE_GROUPS] = {
    [GROUP_BASICS] = "basics",
    [GROUP_STABILITY] = "stability",
    [GROUP_SIZES] = "sizes",
    [GROUP_SPEED] = "speed",
};

const char *case_group_name(enum case_group group)
{
    return names[group];
}

bool case_group_from_name(const char *name, enum case_group *ret)
{
    for (int i = 0; i < N_CASE_GROUPS; i++) {
        if (strcmp(names[i], name) == 0) {
            *ret = (enum case_group)i;
            return true;
        }
    }
    return false;
}

/* ---- result ---- */

/* ---- words ---- */

static bool set_words(char **word, const char *from, const char *kept, bool backslash,
                      struct error *reterr)
{
    char *string = safe_text_copy(from, kept, backslash);
    if (string == NULL)
        return error_memory(reterr, "a result");
    free(*word);
    *word = string;
    return true;
}

static bool set_line(char **word, const char *from, struct error *reterr)
{
    return set_words(word, from, "", false, reterr);
}

static bool set_lines(char **word, const char *from, struct error *reterr)
{
    return set_words(word, from, "\n\t", false, reterr);
}

const char *result_word(const char *word)
{
    return word != NULL ? word : "";
}

/* ---- one result ---- */

bool result_counts(const struct result *result)
{
    return result_word(result->duplicate_of)[0] == '\0';
}

void result_init(struct result *result)
{
    *result = (struct result){.verdict = VERDICT_INTERNAL_ERROR};
}

static void release_words(struct result *result)
{
    for (size_t i = 0; i < result->n_cases; i++)
        free(result->cases[i].name);
    for (size_t i = 0; i < result->n_ideas; i++) {
        free(result->ideas[i].id);
        free(result->ideas[i].say);
    }
    free(result->cases);
    free(result->ideas);
    free(result->file);
    free(result->student);
    free(result->exercise);
    free(result->team);
    free(result->called.folder);
    free(result->called.name);
    free(result->called.number);
    free(result->called.email);
    free(result->candidates);
    free(result->time_from);
    free(result->source_digest);
    free(result->exercise_digest);
    free(result->attn_version);
    free(result->line_says);
    free(result->detail);
    free(result->message);
}

void result_release(struct result *result)
{
    if (result == NULL)
        return;
    free(result->duplicate_of);
    free(result->note);
    free(result->marks);
    if (!result->is_borrowed)
        release_words(result);
    result_init(result);
}

struct result result_borrow(const struct result *lender)
{
    struct result result = *lender;
    result.duplicate_of = result.note = result.marks = NULL;
    result.is_borrowed = true;
    return result;
}

void result_judge(struct result *result, double score, double max_score)
{
    result->score = result->judged_score = score;
    result->max_score = result->judged_max_score = max_score;
}

bool result_name(struct result *result, const char *file, const char *student, const char *exercise,
                 struct error *reterr)
{
    return set_words(&result->file, file, "", true, reterr) &&
           set_line(&result->student, student, reterr) &&
           set_line(&result->exercise, exercise, reterr);
}

bool result_keep_marks(struct result *result, const char *marks, struct error *reterr)
{
    return set_line(&result->marks, marks, reterr);
}

bool result_yield_to(struct result *result, const char *file, struct error *reterr)
{
    return set_line(&result->duplicate_of, file, reterr);
}

bool result_doubt(struct result *result, const char *candidates, struct error *reterr)
{
    result->is_unclear = candidates != NULL;
    return set_lines(&result->candidates, result_word(candidates), reterr);
}

bool result_set_time(struct result *result, int64_t submitted_s, const char *from,
                     struct error *reterr)
{
    result->submitted_s = submitted_s;
    return set_line(&result->time_from, result_word(from), reterr);
}

bool result_set_caller(struct result *result, const struct caller *caller, struct error *reterr)
{
    return set_line(&result->called.folder, result_word(caller->folder), reterr) &&
           set_line(&result->called.name, result_word(caller->name), reterr) &&
           set_line(&result->called.number, result_word(caller->number), reterr) &&
           set_line(&result->called.email, result_word(caller->email), reterr);
}

bool result_call(struct result *result, const char *student, struct error *reterr)
{
    return set_line(&result->student, student, reterr);
}

bool result_say(struct result *result, enum verdict verdict, const char *detail,
                const char *message, struct error *reterr)
{
    result->verdict = verdict;
    return set_line(&result->detail, detail, reterr) &&
           set_lines(&result->message, message, reterr);
}

bool result_set_origin(struct result *result, const char *source_digest,
                       const char *exercise_digest, struct error *reterr)
{
    return set_line(&result->source_digest, source_digest, reterr) &&
           set_line(&result->exercise_digest, exercise_digest, reterr) &&
           set_line(&result->attn_version, ATTN_VERSION, reterr);
}

bool result_add_note(struct result *result, const char *sentence, struct error *reterr)
{
    struct text note = {0};
    const char *before = result_word(result->note);
    text_format(&note, "%s%s%s", before, before[0] != '\0' ? " " : "", sentence);
    bool ok = note.failed ? error_memory(reterr, "a result")
                          : set_line(&result->note, text_string(&note), reterr);
    text_release(&note);
    return ok;
}

bool result_add_case(struct result *result, const char *name, enum case_group group,
                     enum verdict verdict, double max_abs_error, struct error *reterr)
{
    struct case_result added = {.group = group,
                                .verdict = verdict,
                                .max_abs_error = max_abs_error,
                                .earns = verdict == VERDICT_PASS};
    struct case_result *cases =
        array_grow(result->cases, result->n_cases, &result->cases_capacity, sizeof *cases);
    if (cases == NULL)
        return error_memory(reterr, "a result");
    result->cases = cases;
    if (!set_line(&added.name, name, reterr))
        return false;
    result->cases[result->n_cases++] = added;
    return true;
}

void result_earn_nothing(struct result *result)
{
    for (size_t i = 0; i < result->n_cases; i++)
        result->cases[i].earns = false;
}

bool result_add_idea(struct result *result, const char *id, const char *say, struct error *reterr)
{
    struct named_idea added = {0};
    struct named_idea *ideas =
        array_grow(result->ideas, result->n_ideas, &result->ideas_capacity, sizeof *ideas);
    if (ideas == NULL)
        return error_memory(reterr, "a result");
    result->ideas = ideas;
    if (!set_line(&added.id, id, reterr) || !set_lines(&added.say, say, reterr)) {
        free(added.id);
        return false;
    }
    result->ideas[result->n_ideas++] = added;
    return true;
}

bool result_set_line(struct result *result, unsigned line, const char *says, struct error *reterr)
{
    if (!set_line(&result->line_says, says, reterr))
        return false;
    result->line = line;
    return true;
}

/* ---- json ---- */

/* Numbers that are whole are written without a point. */
static json_t *number_json(double number)
{
    if (!isfinite(number))
        return json_null();
    if (number == floor(number) && fabs(number) < 0x1p53)
        return json_integer((json_int_t)number);
    return json_real(number);
}

static json_t *words_json(const char *words)
{
    struct text text = {0};
    if (words != NULL)
        result_safe_text(&text, words, strlen(words), true);
    json_t *json = text.failed ? NULL : json_stringn(text_string(&text), text.size);
    text_release(&text);
    return json;
}

/* Says whether a case earns points if its verdict does not. */
static json_t *case_json(const struct case_result *result)
{
    bool compared = isfinite(result->max_abs_error);
    const char *group = result->group < N_CASE_GROUPS ? case_group_name(result->group) : NULL;
    bool is_luck = result->verdict == VERDICT_PASS && !result->earns;
    return json_pack("{s:o, s:s*, s:s, s:o, s:o*}", "name", words_json(result->name), "group",
                     group, "verdict", verdict_name(result->verdict), "max_abs_error",
                     compared ? json_real(result->max_abs_error) : json_null(), "earns",
                     is_luck ? json_false() : NULL);
}

static json_t *cases_json(const struct result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->n_cases; i++) {
        if (json_array_append_new(array, case_json(&result->cases[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *ideas_json(const struct result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->n_ideas; i++) {
        const struct named_idea *idea = &result->ideas[i];
        json_t *item =
            json_pack("{s:o, s:o}", "id", words_json(idea->id), "say", words_json(idea->say));
        if (json_array_append_new(array, item) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* Texts that a report may lack: those of the time before it had them have none. */
static const struct {
    const char *key;
    size_t offset; /* of the char * in struct result */
} optional_words[] = {
    {"duplicate_of", offsetof(struct result, duplicate_of)},
    {"note", offsetof(struct result, note)},
    {"marks", offsetof(struct result, marks)},
    {"team", offsetof(struct result, team)},
    {"folder", offsetof(struct result, called.folder)},
    {"called", offsetof(struct result, called.name)},
    {"number", offsetof(struct result, called.number)},
    {"called_email", offsetof(struct result, called.email)},
    {"time_from", offsetof(struct result, time_from)},
    {"line_says", offsetof(struct result, line_says)},
    {"source_sha256", offsetof(struct result, source_digest)},
    {"exercise_sha256", offsetof(struct result, exercise_digest)},
    {"attn", offsetof(struct result, attn_version)},
};

static char **optional_word(struct result *result, size_t i)
{
    return (char **)((char *)result + optional_words[i].offset);
}

static const char *optional_word_of(const struct result *result, size_t i)
{
    return *(char *const *)((const char *)result + optional_words[i].offset);
}

static bool add_optional_words(json_t *json, const struct result *result)
{
    for (size_t i = 0; i < COUNT_OF(optional_words); i++) {
        const char *word = result_word(optional_word_of(result, i));
        if (word[0] != '\0' &&
            json_object_set_new(json, optional_words[i].key, words_json(word)) != 0)
            return false;
    }
    return true;
}

/* Numbers that a report may lack; 0 is not written. */
static const struct {
    const char *key;
    size_t offset; /* of the double in struct result */
} optional_numbers[] = {
    {"cpu_ms", offsetof(struct result, cpu_ms)},
    {"memory_kib", offsetof(struct result, memory_kib)},
    {"days_late", offsetof(struct result, days_late)},
};

/* The points as the judge gave them, where they count otherwise; and the measured numbers. */
static bool add_optional_numbers(json_t *json, const struct result *result)
{
    bool differ = result->judged_score < result->score || result->judged_score > result->score ||
                  result->judged_max_score < result->max_score ||
                  result->judged_max_score > result->max_score;
    bool ok =
        !differ ||
        (json_object_set_new(json, "judged_score", number_json(result->judged_score)) == 0 &&
         json_object_set_new(json, "judged_max_score", number_json(result->judged_max_score)) == 0);
    if (ok && result->attempt != 0)
        ok = json_object_set_new(json, "attempt", json_integer(result->attempt)) == 0;
    if (ok && result->line != 0)
        ok = json_object_set_new(json, "line", json_integer(result->line)) == 0;
    if (ok && result->submitted_s != 0)
        ok = json_object_set_new(json, "submitted_s",
                                 json_integer((json_int_t)result->submitted_s)) == 0;
    if (ok && result->is_by_hand)
        ok = json_object_set_new(json, "by_hand", json_true()) == 0;
    if (ok && result->is_left_out)
        ok = json_object_set_new(json, "left_out", json_true()) == 0;
    for (size_t i = 0; ok && i < COUNT_OF(optional_numbers); i++) {
        const double *number =
            (const double *)(const void *)((const char *)result + optional_numbers[i].offset);
        if (*number > 0)
            ok = json_object_set_new(json, optional_numbers[i].key,
                                     number_json(round(*number * 1000) / 1000)) == 0;
    }
    return ok;
}

/* Of an unclear work: who it may be, a list, which may be empty. */
static bool add_candidates(json_t *json, const struct result *result)
{
    json_t *list = result->is_unclear ? json_array() : NULL;
    bool ok = !result->is_unclear || list != NULL;
    for (const char *at = result_word(result->candidates); ok && list != NULL && *at != '\0';) {
        size_t size = strcspn(at, "\n");
        ok = json_array_append_new(list, json_stringn(at, size)) == 0;
        at += size + (at[size] == '\n');
    }
    if (ok && list != NULL)
        return json_object_set_new(json, "unclear", list) == 0;
    json_decref(list);
    return ok;
}

json_t *result_to_json(const struct result *result)
{
    json_t *json = json_pack(
        "{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "file", words_json(result->file),
        "student", words_json(result->student), "exercise", words_json(result->exercise), "verdict",
        verdict_name(result->verdict), "detail", words_json(result->detail), "score",
        result->verdict != VERDICT_UNCLEAR ? number_json(result->score) : json_null(), "max_score",
        number_json(result->max_score), "time_ms",
        number_json(round(result->time_ms * 1000) / 1000), "cases", cases_json(result),
        "misconceptions", ideas_json(result), "message", words_json(result->message));
    if (json != NULL && add_optional_words(json, result) && add_optional_numbers(json, result) &&
        add_candidates(json, result))
        return json;
    json_decref(json);
    return NULL;
}

static bool no_such(struct error *reterr, const char *key, const char *wanted)
{
    return error_set(reterr, ERR_FILE, "%s: it must be %s", key, wanted);
}

static bool read_words(const json_t *json, const char *key, bool lines, char **ret,
                       struct error *reterr)
{
    const char *words = json_string_value(json_object_get(json, key));
    if (words == NULL)
        return no_such(reterr, key, "a text");
    return lines ? set_lines(ret, words, reterr) : set_line(ret, words, reterr);
}

static bool read_optional_words(const json_t *json, struct result *result, struct error *reterr)
{
    for (size_t i = 0; i < COUNT_OF(optional_words); i++)
        if (json_object_get(json, optional_words[i].key) != NULL &&
            !read_words(json, optional_words[i].key, false, optional_word(result, i), reterr))
            return false;
    return true;
}

static bool read_number(const json_t *json, const char *key, double *ret, struct error *reterr)
{
    const json_t *number = json_object_get(json, key);
    if (!json_is_number(number))
        return no_such(reterr, key, "a number");
    *ret = json_number_value(number);
    return true;
}

static bool read_verdict(const json_t *json, enum verdict *ret, struct error *reterr)
{
    const char *name = json_string_value(json_object_get(json, "verdict"));
    return (name != NULL && verdict_from_name(name, ret)) ||
           no_such(reterr, "verdict", "one of attn's verdicts");
}

/* The number, or what is there already. */
static bool read_optional_number(const json_t *json, const char *key, double *ret,
                                 struct error *reterr)
{
    return json_object_get(json, key) == NULL || read_number(json, key, ret, reterr);
}

static bool read_optional_numbers(const json_t *json, struct result *result, struct error *reterr)
{
    const json_t *submitted = json_object_get(json, "submitted_s");
    if (submitted != NULL && !json_is_integer(submitted))
        return no_such(reterr, "submitted_s", "a whole number");
    const json_t *line = json_object_get(json, "line");
    if (line != NULL && (!json_is_integer(line) || json_integer_value(line) < 0 ||
                         json_integer_value(line) > UINT_MAX))
        return no_such(reterr, "line", "a whole number");
    result->line = (unsigned)json_integer_value(line);
    const json_t *attempt = json_object_get(json, "attempt");
    if (attempt != NULL && (!json_is_integer(attempt) || json_integer_value(attempt) < 0 ||
                            json_integer_value(attempt) > UINT_MAX))
        return no_such(reterr, "attempt", "a whole number");
    result->attempt = (unsigned)json_integer_value(attempt);
    result->submitted_s = json_integer_value(submitted);
    result->is_by_hand = json_is_true(json_object_get(json, "by_hand"));
    result->is_left_out = json_is_true(json_object_get(json, "left_out"));
    result_judge(result, result->score, result->max_score);
    bool ok = read_optional_number(json, "judged_score", &result->judged_score, reterr) &&
              read_optional_number(json, "judged_max_score", &result->judged_max_score, reterr);
    for (size_t i = 0; ok && i < COUNT_OF(optional_numbers); i++)
        ok = read_optional_number(json, optional_numbers[i].key,
                                  (double *)(void *)((char *)result + optional_numbers[i].offset),
                                  reterr);
    return ok;
}

static bool read_case(const json_t *json, struct result *result, struct error *reterr)
{
    const char *group_name = json_string_value(json_object_get(json, "group"));
    enum case_group group = N_CASE_GROUPS;
    const json_t *error = json_object_get(json, "max_abs_error");
    const char *name = json_string_value(json_object_get(json, "name"));
    enum verdict verdict;
    if (name == NULL)
        return no_such(reterr, "name", "a text");
    if (!json_is_number(error) && !json_is_null(error))
        return no_such(reterr, "max_abs_error", "a number or null");
    if (group_name != NULL && !case_group_from_name(group_name, &group))
        return no_such(reterr, "group", "basics, stability, sizes or speed");
    if (!read_verdict(json, &verdict, reterr) ||
        !result_add_case(result, name, group, verdict,
                         json_is_number(error) ? json_number_value(error) : (double)NAN, reterr))
        return false;
    if (json_is_false(json_object_get(json, "earns")))
        result->cases[result->n_cases - 1].earns = false;
    return true;
}

static bool read_idea(const json_t *json, struct result *result, struct error *reterr)
{
    const char *id = json_string_value(json_object_get(json, "id"));
    const char *say = json_string_value(json_object_get(json, "say"));
    if (id == NULL || say == NULL)
        return no_such(reterr, "misconceptions", "a list of {id, say}");
    return result_add_idea(result, id, say, reterr);
}

static bool read_all(const json_t *json, const char *key, struct result *result,
                     bool (*read)(const json_t *, struct result *, struct error *),
                     struct error *reterr)
{
    const json_t *array = json_object_get(json, key);
    if (!json_is_array(array))
        return no_such(reterr, key, "a list");
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!read(json_array_get(array, i), result, reterr))
            return false;
    return true;
}

/* Gives back what an array has too much; there are many of them. */
static bool tighten(void **items, size_t n, size_t *capacity, size_t element_size,
                    struct error *reterr)
{
    void *tight = n < *capacity && n > 0 ? realloc(*items, n * element_size) : *items;
    if (tight == NULL && n > 0)
        return error_memory(reterr, "a result");
    *items = tight;
    *capacity = n > 0 ? n : *capacity;
    return true;
}

static bool tighten_arrays(struct result *result, struct error *reterr)
{
    void *cases = result->cases, *ideas = result->ideas;
    bool ok =
        tighten(&cases, result->n_cases, &result->cases_capacity, sizeof *result->cases, reterr) &&
        tighten(&ideas, result->n_ideas, &result->ideas_capacity, sizeof *result->ideas, reterr);
    result->cases = cases;
    result->ideas = ideas;
    return ok;
}

static bool read_candidates(const json_t *json, struct result *result, struct error *reterr)
{
    const json_t *list = json_object_get(json, "unclear");
    struct text candidates = {0};
    bool is_list = list == NULL || json_is_array(list);
    for (size_t i = 0; is_list && i < json_array_size(list); i++) {
        const char *login = json_string_value(json_array_get(list, i));
        is_list = login != NULL;
        text_format(&candidates, "%s%s", i > 0 ? "\n" : "", result_word(login));
    }
    bool ok = is_list ? !candidates.failed || error_memory(reterr, "a result")
                      : no_such(reterr, "unclear", "a list of logins");
    if (ok && list != NULL)
        ok = result_doubt(result, text_string(&candidates), reterr);
    text_release(&candidates);
    return ok;
}

bool result_from_json(const json_t *json, struct result *ret, struct error *reterr)
{
    struct result result;
    result_init(&result);
    bool ok =
        read_words(json, "file", false, &result.file, reterr) &&
        read_words(json, "student", false, &result.student, reterr) &&
        read_words(json, "exercise", false, &result.exercise, reterr) &&
        read_verdict(json, &result.verdict, reterr) &&
        read_words(json, "detail", false, &result.detail, reterr) &&
        (result.verdict == VERDICT_UNCLEAR || read_number(json, "score", &result.score, reterr)) &&
        read_number(json, "max_score", &result.max_score, reterr) &&
        read_number(json, "time_ms", &result.time_ms, reterr) &&
        read_all(json, "cases", &result, read_case, reterr) &&
        read_all(json, "misconceptions", &result, read_idea, reterr) &&
        read_words(json, "message", true, &result.message, reterr) &&
        read_optional_words(json, &result, reterr) && read_candidates(json, &result, reterr) &&
        read_optional_numbers(json, &result, reterr) && tighten_arrays(&result, reterr);
    if (!ok) {
        result_release(&result);
        return false;
    }
    *ret = result;
    return true;
}

bool result_share(const struct result *result, const char *team, const char *student,
                  struct result *ret, struct error *reterr)
{
    json_t *json = result_to_json(result);
    result_init(ret);
    bool ok = json != NULL ? result_from_json(json, ret, reterr) : error_memory(reterr, "a result");
    json_decref(json);
    ok = ok && set_line(&ret->team, team, reterr) && result_call(ret, student, reterr) &&
         result_keep_marks(ret, "", reterr) && result_yield_to(ret, "", reterr);
    if (!ok)
        result_release(ret);
    return ok;
}

bool result_is_shared(const struct result *result)
{
    return result_word(result->team)[0] != '\0';
}
