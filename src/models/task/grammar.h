/* A grammar of stories, read from a file such as assets/stories/stories.yaml: classes of words,
 * rules that choose and combine, and questions whose answers are known. The code knows no word and
 * no story; docs/stories.md describes the file. */
#ifndef ATTN_TASK_GRAMMAR_H
#define ATTN_TASK_GRAMMAR_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum {
    GRAMMAR_MOST_NAMES = 64,   /* to which words are bound */
    GRAMMAR_MOST_CLASSES = 32, /* as a bit each */
    GRAMMAR_MOST_COLUMNS = 16, /* names of forms, in all classes together */
    GRAMMAR_MOST_WORDS = 2048, /* of all classes, and in the vocabulary */
    GRAMMAR_MOST_TOKENS = 128, /* in a story */
};

/* The tokens that every grammar has. The others are words, in the order of the file. */
enum { TOKEN_PAD, TOKEN_MASK, TOKEN_START, TOKEN_END, TOKEN_FIRST_WORD };

/* Places that questions look back at. */
enum story_mark { MARK_PRONOUN, MARK_CUE, MARK_ATTRACTOR, MARK_COUNT };

struct word_class {
    char *name;
    unsigned n_columns, n_rows;
    int column_of[GRAMMAR_MOST_COLUMNS]; /* the column of its words in each form; -1: they don't
                                          * have it */
    int32_t *tokens;                     /* (n_rows, n_columns) */
    unsigned first_row;                  /* counted over all classes */
    bool again;                          /* its words may come more than once in a story */
    unsigned line;
};

/* The word bound to a name, in one of its forms. */
struct word_form {
    unsigned name;
    unsigned column; /* in all of the grammar; 0: the word itself */
};

struct word_condition {
    struct word_form a, b;
    bool wants_same; /* a = b, else a != b */
};

struct word_binding {
    unsigned name;
    bool is_same; /* the word of the name `from`, else one drawn from the class `from` */
    unsigned from;
};

enum grammar_item_kind { ITEM_WORD, ITEM_FORM, ITEM_RULE };

struct grammar_item {
    enum grammar_item_kind kind;
    int32_t token;         /* ITEM_WORD */
    struct word_form form; /* ITEM_FORM */
    unsigned rule;         /* ITEM_RULE */
    int mark;              /* enum story_mark, or -1 */
    int question;          /* the question that this word answers, or -1 */
};

struct grammar_choice {
    unsigned weight;
    struct word_binding *bindings;
    struct word_condition *where; /* about words bound here: they are drawn again until it holds */
    struct word_condition
        *when; /* about words bound before: without it this choice is not possible */
    struct grammar_item *items;
    unsigned n_bindings, n_where, n_when, n_items;
    unsigned line;
};

struct grammar_rule {
    char *name;
    struct grammar_choice *choices;
    unsigned n_choices;
    unsigned line;
};

struct grammar_question {
    char *name;
    unsigned kind;          /* in grammar.kinds */
    unsigned about;         /* the name to which the referent is bound */
    int other;              /* the name of the alternative, or -1 */
    struct word_form rival; /* the wrong answer */
    bool needs[MARK_COUNT]; /* asked only if these places exist */
    unsigned line;
};

/* Pairs of words that training never sees together. */
struct held_pairs {
    unsigned classes[2];
    unsigned one_in;
};

struct grammar {
    char **words; /* of each token */
    unsigned n_tokens;
    struct word_class *classes;
    struct grammar_rule *rules; /* "story" is rules[story] */
    struct grammar_question *questions;
    struct held_pairs *held;
    char **kinds;   /* of questions, each once */
    char **names;   /* to which words are bound */
    char **columns; /* of classes, each once; columns[0] is the word itself */
    unsigned n_classes, n_rules, n_questions, n_held, n_kinds, n_names, n_columns;
    unsigned n_rows; /* words of all classes */
    unsigned story;
    int twins;          /* the rule whose choice makes twins differ, or -1 */
    unsigned longest;   /* the most tokens of a story, with those at its ends */
    struct arena arena; /* owns all of it */
};

/* Reads DATA_DIR/assets/stories/NAME.yaml. ERR_FILE if it is missing, ERR_SYNTAX "FILE:LINE: ..."
 * if it is not as it should be, ERR_MEMORY. On success grammar_release() it. */
bool grammar_open(const char *data_dir, const char *name, struct grammar *ret,
                  struct error *reterr);

/* The same from a text. path is for messages. */
bool grammar_read(const char *path, const char *text, size_t size, struct grammar *ret,
                  struct error *reterr);
void grammar_release(struct grammar *grammar); /* grammar may be all zero bytes */

/* The token of a word; -1 for an unknown word. */
int32_t grammar_token(const struct grammar *grammar, const char *word, size_t size);

/* The tokens of "The cat sat on the mat.": words in any case, and signs with or without a blank
 * before them. ERR_NAME names the first unknown word, with the one spelt most like it; ERR_LIMIT:
 * more than most. *ret_n of them are in tokens, without those at the ends. */
bool grammar_tokens(const struct grammar *grammar, const char *text, int32_t *tokens, size_t most,
                    size_t *ret_n, struct error *reterr);

#endif
