/* The manual: all that attn can say of itself and of the field, and the search in it.
 *
 * The prompt's help, the screen's search and its list of commands read it. It knows the functions,
 * the operators, the terms, what people want to do with attn, and the lessons, down to the
 * sentences of their pages; keys and the words of the prompt are added by those who have them. A
 * question is asked in plain words: their forms and near spellings count, and so do words that mean
 * the same; words that say nothing count only inside of a name. */
#ifndef ATTN_MANUAL_MANUAL_H
#define ATTN_MANUAL_MANUAL_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "manual/glossary.h"

enum manual_kind {
    MANUAL_WORD,     /* that a line at the prompt may begin with */
    MANUAL_FUNCTION, /* of the language */
    MANUAL_KEY,
    MANUAL_OPERATOR,
    MANUAL_TERM,
    MANUAL_TOPIC, /* about attn */
    MANUAL_LESSON,
    MANUAL_STEP,
    MANUAL_PAGE, /* of a lesson: its sentences */
    MANUAL_KINDS
};

/* Texts may be "" but are not NULL. */
struct manual_entry {
    enum manual_kind kind;
    const char *name;    /* what it is called: softmax */
    const char *also;    /* its other names, with commas between them */
    const char *title;   /* as shown: softmax(input, dim=-1) */
    const char *text;    /* all that is said about it; of a page: a sentence a line */
    const char *where;   /* "function", "Explorer", "lesson 5" */
    const char *example; /* lines of the language that run */
    const char *gives;   /* the text or the line of the prompt that it stands for; "" where there is
                          * none, or where running it would take something away */
};

struct manual_posting; /* a word of an entry */
struct manual_name;    /* one of the names of an entry */
struct page;           /* course/lesson/lesson.h */

struct manual {
    struct arena arena; /* all texts */
    struct manual_entry *entries;
    size_t n, capacity;
    struct wording wording;
    struct manual_posting *postings; /* by stem, after manual_index() */
    size_t n_postings, postings_capacity;
    struct manual_name *names; /* [n_names], those of an entry in a row, after manual_index() */
    size_t n_names, names_capacity;
    bool failed; /* an addition found no memory */
};

/* ---- filling ---- */

/* Adds copies of an entry's texts, or remembers in `failed` that there was no memory. */
void manual_add(struct manual *manual, const struct manual_entry *entry);
/* Adds the functions, and what lies in the folder that holds assets/ and lessons/; with NULL for it
 * the functions alone. A file that can't be read is left out. */
void manual_add_all(struct manual *manual, const char *data_dir);
/* Adds what people want to do with attn, the topics of the glossary, alone; reads the words of
 * questions too. */
void manual_add_topics(struct manual *manual, const char *data_dir);
/* Adds what a page says, without the marks of Markdown. */
void manual_add_page_text(const struct page *page, struct text *out);
/* Makes ready for questions, once, after the last addition. ERR_MEMORY, also for what was added. */
bool manual_index(struct manual *manual, struct error *reterr);
void manual_release(struct manual *manual); /* may be all zero bytes */

/* ---- asking ---- */

struct manual_result {
    size_t entry;
    double score;       /* from 0 to 1, and more where the question is one of its names */
    size_t begin, size; /* of a page: its sentence that fits best, in its text; else size 0 */
};

enum { MANUAL_MAX_RESULTS = 60, MANUAL_NEAREST = 3 };

struct manual_results {
    struct manual_result items[MANUAL_MAX_RESULTS]; /* [n], the best first */
    size_t n;
    bool only_near; /* nothing fits well: these MANUAL_NEAREST or fewer are the nearest */
};

/* What is said above results of which only_near is true. */
#define MANUAL_NOTHING_FITS "Nothing fits well. The nearest:"

/* The entries that answer a question best; where none has enough of its words, the nearest. None
 * for a question without words, or when nothing is called even nearly so. ERR_MEMORY */
bool manual_find(const struct manual *manual, const char *question, struct manual_results *ret,
                 struct error *reterr);

/* Whether text has each word of the question, one of its forms, or a word that means the same. */
bool manual_text_answers(const struct wording *wording, const char *question, const char *text);

#endif
