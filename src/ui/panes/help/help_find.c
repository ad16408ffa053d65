/* See help_parts.h. */
#include "ui/panes/help/help_internal.h"

#include <ctype.h>
#include <string.h>

enum { MAX_WORDS = 16 }; /* of a search; more are not looked at */

struct query {
    const char *words[MAX_WORDS]; /* in the field */
    size_t sizes[MAX_WORDS], n;
};

enum rank { RANK_IS, RANK_BEGINS, RANK_CONTAINS, RANK_TEXT, RANK_NONE };

static struct query query_of(const struct field *field)
{
    struct query query = {0};
    for (const char *at = field->text; query.n < MAX_WORDS;) {
        at += strspn(at, " ");
        size_t size = strcspn(at, " ");
        if (size == 0)
            break;
        query.words[query.n] = at;
        query.sizes[query.n++] = size;
        at += size;
    }
    return query;
}

/* Whether text begins with a word, in capitals or not. */
static bool begins_with(const char *text, const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)text[i]) != tolower((unsigned char)word[i]))
            return false; /* also at the text's end */
    return true;
}

static bool contains(const char *text, const char *word, size_t size)
{
    for (; *text != '\0'; text++)
        if (begins_with(text, word, size))
            return true;
    return false;
}

/* Whether one of the words of `text` is this one. */
static bool has_word(const char *text, const char *word, size_t size)
{
    for (; *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        if (length == size && begins_with(text, word, size))
            return true;
        text += length;
    }
    return false;
}

bool field_is_within(const struct field *field, const char *text)
{
    struct query query = query_of(field);
    for (size_t i = 0; i < query.n; i++)
        if (!contains(text, query.words[i], query.sizes[i]))
            return false;
    return true;
}

static enum rank rank_word(const struct help_entry *entry, const char *word, size_t size)
{
    bool is_key = entry->kind == HELP_KEY;
    if (begins_with(entry->name, word, size))
        return entry->name[size] == '\0' ? RANK_IS : RANK_BEGINS;
    if (is_key && has_word(entry->title, word, size))
        return RANK_IS;
    if (contains(entry->name, word, size))
        return RANK_CONTAINS;
    if (contains(entry->text, word, size) || contains(entry->where, word, size) ||
        (!is_key && contains(entry->title, word, size)))
        return RANK_TEXT;
    return RANK_NONE;
}

/* The worst of its words' ranks: all of them must be there. */
static enum rank rank_of(const struct help_entry *entry, const struct query *query)
{
    enum rank worst = RANK_IS;
    for (size_t i = 0; i < query->n; i++) {
        enum rank rank = rank_word(entry, query->words[i], query->sizes[i]);
        worst = rank > worst ? rank : worst;
    }
    return worst;
}

void help_find(struct help *help)
{
    struct query query = query_of(&help->field);
    help->n_results = help->chosen = help->scroll = 0;
    for (enum rank rank = RANK_IS; rank < RANK_NONE; rank++)
        for (size_t i = 0; i < help->n; i++)
            if (rank_of(&help->entries[i], &query) == rank)
                help->results[help->n_results++] = i;
}
