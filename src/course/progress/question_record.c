/* How well questions are known, in SQLite: see question_record.h. */
#include "course/progress/question_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "course/progress/progress_internal.h"

/* ---- marks ---- */

const char *mark_words(enum mark mark)
{
    static const char *const words[] = {
        [MARK_NONE] = "open",
        [MARK_MISSED] = "missed so far",
        [MARK_TOLD] = "shown or skipped",
        [MARK_HINTED] = "with a hint",
        [MARK_TRIED] = "after a try",
        [MARK_ALONE] = "at once",
    };
    return words[mark];
}

/* The events of one presentation. After the right answer, the rest changes nothing. */
struct presentation {
    bool right, wrong, hinted, worked, skipped;
    bool offered; /* guessed, or written for oneself */
};

static void presentation_add(struct presentation *presentation, enum event_kind kind)
{
    if (presentation->right)
        return;
    presentation->right = kind == EVENT_RIGHT;
    presentation->wrong = presentation->wrong || kind == EVENT_WRONG;
    presentation->hinted = presentation->hinted || kind == EVENT_HINT;
    presentation->worked = presentation->worked || kind == EVENT_WORKED;
    presentation->skipped = presentation->skipped || kind == EVENT_SKIPPED;
    presentation->offered =
        presentation->offered || kind == EVENT_GUESS || kind == EVENT_REFLECTION;
}

static enum mark presentation_mark(const struct presentation *presentation)
{
    if (presentation->worked || (presentation->skipped && !presentation->right))
        return MARK_TOLD;
    if (presentation->right)
        return presentation->hinted || presentation->skipped ? MARK_HINTED
               : presentation->wrong                         ? MARK_TRIED
                                                             : MARK_ALONE;
    if (presentation->wrong)
        return MARK_MISSED;
    return presentation->offered ? MARK_ALONE : MARK_NONE;
}

/* The records of a lesson as they are being made. */
struct records {
    struct question_record *items;
    size_t n, capacity;
    int64_t presentation_id;
    struct presentation presentation; /* of the last item, so far */
    enum mark best_before;            /* in earlier presentations of the last item */
};

/* The question's record: the last one, or a new one. NULL without memory. */
static struct question_record *record_for(struct records *records, const char *question)
{
    if (records->n > 0 && strcmp(records->items[records->n - 1].question, question) == 0)
        return &records->items[records->n - 1];
    struct question_record *items =
        array_grow(records->items, records->n, &records->capacity, sizeof *items);
    if (items == NULL)
        return NULL;
    records->items = items;
    records->presentation_id = 0;
    records->best_before = MARK_NONE;
    struct question_record *record = &items[records->n++];
    *record = (struct question_record){.mark = MARK_NONE};
    snprintf(record->question, sizeof record->question, "%s", question);
    return record;
}

static bool add_event(struct records *records, const struct sql_query *row)
{
    enum event_kind kind = event_kind_of(query_column(row, 1));
    int64_t presentation_id = query_column_number(row, 3);
    struct question_record *record = record_for(records, query_column(row, 0));
    if (record == NULL)
        return false;
    record->n_right += kind == EVENT_RIGHT;
    record->n_wrong += kind == EVENT_WRONG;
    record->n_hints += kind == EVENT_HINT;
    record->n_told += kind == EVENT_WORKED || kind == EVENT_SKIPPED;
    record->took_ms += query_column_number(row, 2);
    int64_t time_s = query_column_number(row, 4);
    record->last_s = time_s > record->last_s ? time_s : record->last_s;
    if (presentation_id != records->presentation_id) {
        records->presentation = (struct presentation){0};
        records->best_before = record->best;
    }
    records->presentation_id = presentation_id;
    presentation_add(&records->presentation, kind);
    enum mark mark = presentation_mark(&records->presentation);
    if (mark != MARK_NONE) /* a hint alone says nothing new about the learner's knowledge */
        record->mark = mark;
    record->best = mark > records->best_before ? mark : records->best_before;
    return true;
}

/* Questions as they first came, in each the presentation that something happened in last comes
 * last. */
static bool read_records(const struct progress *progress, const char *lesson,
                         struct records *records, struct error *reterr)
{
    bool fits = true;
    struct sql_query query =
        query_of(progress, "SELECT question, kind, took_ms, showing, time_s FROM"
                           " (SELECT id, question, kind, took_ms, showing, time_s,"
                           "   min(id) OVER (PARTITION BY question) AS first_id,"
                           "   max(id) OVER (PARTITION BY question, showing) AS last_id"
                           "  FROM events WHERE lesson = ?) ORDER BY first_id, last_id, id");
    query_text(&query, lesson);
    while (fits && query_step(&query))
        fits = add_event(records, &query);
    return query_end(&query, reterr) && (fits || error_memory(reterr, "a lesson's questions"));
}

bool progress_questions(struct progress *progress, const char *lesson, struct question_record **ret,
                        size_t *ret_n, struct error *reterr)
{
    struct records records = {0};
    if (progress->file != NULL && !read_records(progress, lesson, &records, reterr)) {
        free(records.items);
        return false;
    }
    *ret = records.items;
    *ret_n = records.n;
    return true;
}

/* ---- the state within one attempt ---- */

static void note_state(struct question_state *state, enum event_kind kind, int64_t number)
{
    if (kind == EVENT_RIGHT || kind == EVENT_GUESS || kind == EVENT_REFLECTION)
        state->right = true;
    else if (kind == EVENT_WORKED) /* one that was skipped can be answered later */
        state->told = true;
    else if (kind == EVENT_WRONG)
        state->n_wrong++;
    else if (kind == EVENT_HINT && number > state->n_hints)
        state->n_hints = (unsigned)number;
    else if (kind == EVENT_CELL && number >= 0 && number < 64)
        state->cells |= UINT64_C(1) << number;
}

bool attempt_question(struct progress *progress, const struct attempt *attempt,
                      const char *question, struct question_state *ret, struct error *reterr)
{
    struct question_state state = {0};
    if (progress->file != NULL && attempt->id != 0) {
        struct sql_query query = query_of(progress, "SELECT kind, number FROM events"
                                                    " WHERE play = ? AND question = ? ORDER BY id");
        query_number(&query, attempt->id);
        query_text(&query, question);
        while (query_step(&query))
            note_state(&state, event_kind_of(query_column(&query, 0)),
                       query_column_number(&query, 1));
        if (!query_end(&query, reterr))
            return false;
    }
    *ret = state;
    return true;
}
