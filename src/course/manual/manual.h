/* The manual: everything that attn can explain about itself and the field, and the search in it.
 *
 * The prompt's help, the screen's search and its list of commands read it. It knows the functions,
 * the operators, the terms, common tasks, and the lessons, down to the sentences of their pages;
 * keys and the words of the prompt are added by the rooms that have them. A question is asked in
 * plain words: their forms and near spellings count, and so do words that mean the same; words
 * without meaning count only inside a name. */
#ifndef ATTN_MANUAL_MANUAL_H
#define ATTN_MANUAL_MANUAL_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "course/manual/glossary_internal.h"

enum manual_kind {
    MANUAL_WORD,     /* a word that can begin a line at the prompt */
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
    const char *name;    /* its name: softmax */
    const char *also;    /* its other names, with commas between them */
    const char *title;   /* as shown: softmax(input, dim=-1) */
    const char *text;    /* the whole explanation; of a page: a sentence a line */
    const char *where;   /* "function", "Explorer", "lesson 5" */
    const char *example; /* lines of the language that run */
    const char *gives;   /* the text or the line of the prompt that it stands for; "" without such a
                          * line, or if running it would remove something */
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
    bool failed; /* an addition failed for lack of memory */
};

/* ---- filling ---- */

/* Adds copies of an entry's texts; without memory sets `failed`. */
void manual_add(struct manual *manual, const struct manual_entry *entry);
/* Adds the functions, and the content of the folder that holds assets/ and lessons/; with NULL only
 * the functions. A file that can't be read is left out. */
void manual_add_all(struct manual *manual, const char *data_dir);
/* Adds only the topics of the glossary, which are common tasks; reads the words of questions
 * too. */
void manual_add_topics(struct manual *manual, const char *data_dir);
/* Adds the text of a page, without the marks of Markdown. */
void manual_add_page_text(const struct page *page, struct text *out);
/* Prepares it for questions, once, after the last addition. ERR_MEMORY, also if an addition
 * failed. */
bool manual_index(struct manual *manual, struct error *reterr);
void manual_release(struct manual *manual); /* may be all zero bytes */

/* ---- asking ---- */

struct manual_result {
    size_t entry;
    double score;       /* from 0 to 1, and more if the question is one of its names */
    size_t begin, size; /* of a page: its sentence that fits best, in its text; else size 0 */
};

enum { MANUAL_MAX_RESULTS = 60, MANUAL_NEAREST = 3 };

struct manual_results {
    struct manual_result items[MANUAL_MAX_RESULTS]; /* [n], the best first */
    size_t n;
    bool only_near; /* nothing fits well: these (at most MANUAL_NEAREST) are the nearest */
};

/* The line above results if only_near is true. */
#define MANUAL_NOTHING_FITS "Nothing fits well. The nearest:"

/* The entries that answer a question best; if none has enough of its words, the nearest ones. No
 * entries for a question without words, or if no name is even nearly the same. ERR_MEMORY */
bool manual_find(const struct manual *manual, const char *question, struct manual_results *ret,
                 struct error *reterr);

/* Whether text has each word of the question, one of its forms, or a word that means the same. */
bool manual_text_answers(const struct wording *wording, const char *question, const char *text);

#endif
