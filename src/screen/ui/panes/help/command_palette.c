/* See command_palette.h. */
#include "ui/panes/help/command_palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/array.h"
#include "shell/prompt_word.h"
#include "ui/terminal/scroll.h"

enum {
    FRAME_COLS = 4, /* the frame, and a blank inside of it, at both sides */
    FRAME_ROWS = 2,
    FIELD_ROWS = 2,    /* the field and a rule */
    DETAIL_ROWS = 3,   /* a rule, and the help of what is chosen */
    TALL_ROWS = 18,    /* from here on the help has two rows more */
    MAX_LETTERS = 512, /* of what is typed: no title has so many */

    /* What a letter is worth, and what is lost where the next one does not follow at once. */
    POINTS_LETTER = 4,
    POINTS_RUN = 8,   /* it follows the letter before at once */
    POINTS_WORD = 8,  /* it begins a word */
    POINTS_START = 2, /* it begins the title, on top of that */
    LOST_GAP = 3,     /* for the first character between two letters */
    LOST_MORE = 1,    /* for each one more */
    NO_WAY = -1000000,

    HELP_MIN_BYTES = 3, /* what is typed is looked for in the helps too from here on */
    /* The score of what its title does not name: an answer of the manual to the words that were
     * typed, less by one for each better answer; an action whose help has all of the words. */
    BY_ANSWER = -2,
    BY_HELP = -1000,
};

static const struct binding command_palette_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "do it", "does what is chosen"},
    {KEYCODE_UP, REQ_UP, NULL, "chooses the action above"},
    {KEYCODE_DOWN, REQ_DOWN, "choose", "chooses the action below"},
    {KEYCODE_TAB, REQ_DOWN, NULL, NULL},
    {KEYCODE_BACK_TAB, REQ_UP, NULL, NULL},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "goes up by a screen"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "goes down by a screen"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "clear, close",
     "empties the field; where nothing is typed, closes the palette"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* ---- matching ---- */

/* Text as characters, small letters only. */
static size_t small_letters(const char *text, utf8proc_int32_t *ret, size_t max, bool blanks)
{
    size_t n = 0, size = strlen(text);
    for (size_t at = 0; at < size && n < max;) {
        utf8proc_int32_t code = -1;
        utf8proc_ssize_t step = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                                 (utf8proc_ssize_t)(size - at), &code);
        at += step > 0 ? (size_t)step : 1;
        if (blanks || code != ' ')
            ret[n++] = step > 0 ? utf8proc_tolower(code) : '?';
    }
    return n;
}

static bool is_word_letter(utf8proc_int32_t code)
{
    if (code < 128)
        return (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9');
    utf8proc_category_t category = utf8proc_category(code);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

/* The letters and the title of one comparison, and the best score of letters[0..i] where letter i
 * stands at title[j], and where letter i - 1 stands then. */
struct match {
    utf8proc_int32_t letters[MAX_LETTERS], title[COMMAND_PALETTE_TITLE_CHARS];
    size_t n_letters, n_title;
    int score[MAX_LETTERS][COMMAND_PALETTE_TITLE_CHARS];
    uint8_t before[MAX_LETTERS][COMMAND_PALETTE_TITLE_CHARS];
};

static int points_at(const struct match *match, size_t j)
{
    if (j == 0)
        return POINTS_LETTER + POINTS_WORD + POINTS_START;
    bool begins = is_word_letter(match->title[j]) && !is_word_letter(match->title[j - 1]);
    return POINTS_LETTER + (begins ? POINTS_WORD : 0);
}

/* Fills the row of letter i, from that of the letter before. */
static void match_letter(struct match *match, size_t i)
{
    int best = i == 0 ? 0 : NO_WAY; /* of the letters before, with a gap between them and j */
    size_t best_at = 0;
    for (size_t j = 0; j < match->n_title; j++) {
        int run = i > 0 && j > 0 ? match->score[i - 1][j - 1] : NO_WAY;
        int gap = i > 0 && j > 1 ? match->score[i - 1][j - 2] : NO_WAY;
        best -= i > 0 && best > NO_WAY ? LOST_MORE : 0;
        if (gap > NO_WAY && gap - LOST_GAP > best) {
            best = gap - LOST_GAP;
            best_at = j - 2;
        }
        match->score[i][j] = NO_WAY;
        bool follows = run != NO_WAY && run + POINTS_RUN >= best;
        if ((best == NO_WAY && !follows) || match->title[j] != match->letters[i])
            continue;
        match->score[i][j] = points_at(match, j) + (follows ? run + POINTS_RUN : best);
        match->before[i][j] = (uint8_t)(follows ? j - 1 : best_at);
    }
}

int command_palette_score(const char *letters, const char *title,
                          bool ret_hits[COMMAND_PALETTE_TITLE_CHARS])
{
    struct match match;
    int best = NO_WAY;
    size_t at = 0;
    if (ret_hits != NULL)
        memset(ret_hits, 0, COMMAND_PALETTE_TITLE_CHARS * sizeof *ret_hits);
    match.n_letters = small_letters(letters, match.letters, MAX_LETTERS, false);
    match.n_title = small_letters(title, match.title, COMMAND_PALETTE_TITLE_CHARS, true);
    if (match.n_letters == 0)
        return 0;
    for (size_t i = 0; i < match.n_letters; i++)
        match_letter(&match, i);
    size_t last = match.n_letters - 1;
    for (size_t j = 0; j < match.n_title; j++)
        if (match.score[last][j] > best) {
            best = match.score[last][j];
            at = j;
        }
    if (best == NO_WAY)
        return -1;
    for (size_t i = match.n_letters; ret_hits != NULL && i-- > 0;) {
        ret_hits[at] = true;
        at = i > 0 ? match.before[i][at] : 0;
    }
    return best > 0 ? best : 0;
}

/* ---- what there is to choose ---- */

/* What was written, kept as long as the palette; the text is given back. */
static const char *keep_text(struct command_palette *palette, struct text *text)
{
    char *copy = NULL;
    if (!text->failed)
        copy = arena_copy(&palette->arena, text->bytes, text->size);
    palette->failed = palette->failed || copy == NULL;
    text_release(text);
    return copy != NULL ? copy : "";
}

static const char *keep(struct command_palette *palette, const char *string)
{
    struct text text = {0};
    text_put(&text, string);
    return keep_text(palette, &text);
}

static void add_item(struct command_palette *palette, struct command_palette_item item)
{
    struct command_palette_item *items =
        array_grow(palette->items, palette->n, &palette->capacity, sizeof *items);
    palette->failed = palette->failed || items == NULL;
    if (items == NULL)
        return;
    palette->items = items;
    items[palette->n++] = item;
}

static bool was_before(const struct binding *bindings, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (bindings[j].request == bindings[i].request)
            return true;
    return false;
}

static void add_request(struct command_palette *palette, const struct pane_ops *pane,
                        const struct binding *binding)
{
    struct text title = {0};
    struct command_palette_item item = {
        .kind = PANE_PRESS_KEY, .pane = pane, .keycode = binding->key, .text = ""};
    text_format(&title, "%s: %s", pane->title,
                binding->label != NULL ? binding->label : binding->help);
    item.title = keep_text(palette, &title);
    item.help = keep(palette, binding->help != NULL ? binding->help : "");
    key_text(binding->key, item.key);
    add_item(palette, item);
}

/* Those with a label, or those without, which are known by their help alone. */
static void add_requests(struct command_palette *palette, const struct pane_ops *pane,
                         bool labelled)
{
    for (size_t i = 0; pane->bindings[i].key != KEYCODE_NONE; i++) {
        const struct binding *binding = &pane->bindings[i];
        bool is_shown =
            labelled ? binding->label != NULL : binding->label == NULL && binding->help != NULL;
        if (is_shown && binding->request != REQ_COMMAND_PALETTE && !was_before(pane->bindings, i))
            add_request(palette, pane, binding);
    }
}

static void add_lessons(struct command_palette *palette, const struct course *course)
{
    for (size_t i = 0; i < course->n; i++) {
        struct text title = {0}, help = {0};
        text_format(&title, "lesson %s", course->entries[i].id);
        text_format(&help, "Opens lesson %u where you stopped.", course->entries[i].number);
        const char *line = keep_text(palette, &title);
        add_item(palette, (struct command_palette_item){.title = line,
                                                        .help = keep_text(palette, &help),
                                                        .kind = PANE_RUN_LINE,
                                                        .text = line});
    }
}

/* The words of the language, or all others. Of those of the screen, a word that needs a value is a
 * setting, which is listed with its values. A word that means something by itself is a line that is
 * run at once. */
static void add_words(struct command_palette *palette, bool of_language)
{
    struct prompt_word word;
    for (size_t i = 0; prompt_word(i, &word); i++) {
        struct text line = {0};
        bool is_line = word.stands_alone;
        if ((word.kind == WORD_OF_LANGUAGE) != of_language ||
            (word.kind == WORD_OF_SCREEN && !is_line))
            continue;
        text_format(&line, "%s%s", word.name, is_line ? "" : " ");
        add_item(palette,
                 (struct command_palette_item){.title = is_line ? word.name : word.usage,
                                               .help = word.summary,
                                               .is_exact = word.loses,
                                               .kind = is_line ? PANE_RUN_LINE : PANE_TO_PROMPT,
                                               .text = keep_text(palette, &line)});
    }
}

/* What people want to do: each opens its page of help. */
static bool add_topics(struct command_palette *palette, const char *data_dir)
{
    struct error error;
    manual_add_topics(&palette->topics, data_dir);
    if (!manual_index(&palette->topics, &error))
        return false;
    palette->first_topic = palette->n;
    for (size_t i = 0; i < palette->topics.n; i++) {
        const struct manual_entry *entry = &palette->topics.entries[i];
        add_item(palette, (struct command_palette_item){.title = entry->name,
                                                        .help = entry->text,
                                                        .kind = PANE_OPEN_HELP,
                                                        .text = entry->name});
    }
    return true;
}

static void add_place(struct command_palette *palette, const struct command_palette_place *place)
{
    add_item(palette, (struct command_palette_item){.title = keep(palette, place->title),
                                                    .help = keep(palette, place->help),
                                                    .kind = place->kind,
                                                    .is_place = true,
                                                    .text = keep(palette, place->text)});
}

static bool load_all(struct command_palette *fresh, const struct command_palette_sources *sources)
{
    for (size_t i = 0; i < sources->n_places; i++)
        add_place(fresh, &sources->places[i]);
    for (size_t i = 0; i < sources->n_panes; i++)
        add_requests(fresh, sources->panes[i], true);
    add_words(fresh, false);
    if (sources->course != NULL)
        add_lessons(fresh, sources->course);
    for (size_t i = 0; i < sources->n_settings; i++) {
        const char *line = keep(fresh, sources->settings[i]);
        add_item(fresh, (struct command_palette_item){
                            .title = line, .help = "", .kind = PANE_RUN_LINE, .text = line});
    }
    add_words(fresh, true);
    for (size_t i = 0; i < sources->n_panes; i++)
        add_requests(fresh, sources->panes[i], false);
    if (!add_topics(fresh, sources->data_dir) || fresh->failed)
        return false;
    fresh->found = calloc(fresh->n + 1, sizeof *fresh->found);
    return fresh->found != NULL;
}

bool command_palette_load(struct command_palette *palette,
                          const struct command_palette_sources *sources, struct error *reterr)
{
    struct command_palette fresh = {.rows = palette->rows, .cols = palette->cols};
    if (!load_all(&fresh, sources)) {
        command_palette_release(&fresh);
        return error_memory(reterr, "the palette");
    }
    command_palette_release(palette);
    *palette = fresh;
    command_palette_open(palette);
    return true;
}

void command_palette_release(void *state)
{
    struct command_palette *palette = state;
    free(palette->items);
    free(palette->found);
    arena_release(&palette->arena);
    manual_release(&palette->topics);
    pane_request_release(&palette->request);
    *palette = (struct command_palette){0};
}

/* ---- searching ---- */

/* Puts item i where it belongs among those found. Of equals the shorter title is better where
 * something is typed; else the earlier one stays first. */
static void insert(struct command_palette *palette, size_t i)
{
    const struct command_palette_item *item = &palette->items[i];
    size_t at = palette->n_found++;
    for (; at > 0; at--) {
        const struct command_palette_item *before = &palette->items[palette->found[at - 1]];
        bool is_better = item->score > before->score;
        if (item->score == before->score && item->is_place != before->is_place)
            is_better = item->is_place;
        else if (item->score == before->score && item->score > 0)
            is_better = strlen(item->title) < strlen(before->title);
        if (!is_better)
            break;
        palette->found[at] = palette->found[at - 1];
    }
    palette->found[at] = i;
}

/* Gives the topics that answer what was typed their score, where their titles do not have it. */
static void find_answers(struct command_palette *palette)
{
    struct manual_results results;
    struct error error;
    if (!manual_find(&palette->topics, palette->field.text, &results, &error) || results.only_near)
        return; /* without memory there are fewer ways to find them */
    for (size_t i = 0; i < results.n; i++) {
        struct command_palette_item *item =
            &palette->items[palette->first_topic + results.items[i].entry];
        if (item->score < 0)
            item->score = BY_ANSWER - (int)i;
    }
}

static void find(struct command_palette *palette)
{
    const struct wording *wording = &palette->topics.wording;
    const char *typed = palette->field.text;
    bool has_words = palette->field.size >= HELP_MIN_BYTES;
    palette->n_found = palette->chosen = palette->scroll = 0;
    for (size_t i = 0; i < palette->n; i++) {
        struct command_palette_item *item = &palette->items[i];
        item->score = command_palette_score(typed, item->title, NULL);
        if (item->score < 0 && has_words && !item->is_exact && i < palette->first_topic &&
            (manual_text_answers(wording, typed, item->help) ||
             manual_text_answers(wording, typed, item->title)))
            item->score = BY_HELP;
    }
    if (has_words)
        find_answers(palette);
    for (size_t i = 0; i < palette->n; i++)
        if (palette->items[i].score != -1)
            insert(palette, i);
}

void command_palette_open(struct command_palette *palette)
{
    palette->field = (struct field){0};
    pane_request_release(&palette->request);
    find(palette);
}

/* ---- moving ---- */

static int detail_rows(int rows)
{
    return DETAIL_ROWS + (rows >= TALL_ROWS ? 2 : 0);
}

static size_t list_rows(const struct command_palette *palette)
{
    int rows = palette->rows - FRAME_ROWS - FIELD_ROWS - detail_rows(palette->rows);
    return rows > 1 ? (size_t)rows : 1;
}

static void show_chosen(struct command_palette *palette)
{
    palette->scroll =
        scroll_into_view(palette->scroll, palette->chosen, list_rows(palette), palette->n_found);
}

void command_palette_resize(void *state, int rows, int cols)
{
    struct command_palette *palette = state;
    if (rows == 0)
        return; /* it is not open */
    palette->rows = rows;
    palette->cols = cols;
    show_chosen(palette);
}

static bool clear(void *state)
{
    struct command_palette *palette = state;
    if (!field_clear(&palette->field))
        return false;
    find(palette);
    return true;
}

bool command_palette_key(void *state, int key)
{
    struct command_palette *palette = state;
    enum field_change change = field_key(&palette->field, key);
    if (change == FIELD_CHANGED)
        find(palette);
    return change != FIELD_IGNORED;
}

static void choose(struct command_palette *palette, ptrdiff_t steps)
{
    palette->chosen = scroll_step(palette->chosen, steps, palette->n_found);
    show_chosen(palette);
}

static void ask_for_chosen(struct command_palette *palette)
{
    if (palette->chosen >= palette->n_found)
        return;
    const struct command_palette_item *item = &palette->items[palette->found[palette->chosen]];
    pane_request_set(&palette->request, item->kind, item->text);
    palette->request.ops = item->pane;
    palette->request.key = item->keycode;
}

bool command_palette_request(void *state, enum request request, int key)
{
    struct command_palette *palette = state;
    ptrdiff_t steps;
    (void)key;
    if (request == REQ_OPEN)
        ask_for_chosen(palette);
    else if (scroll_steps_of(request, list_rows(palette), palette->n_found, &steps))
        choose(palette, steps);
    else
        return false;
    return true;
}

bool command_palette_click(void *state, struct area area, int row, int col, bool is_double)
{
    struct command_palette *palette = state;
    (void)is_double;
    long at = (long)row - 1 - FIELD_ROWS;
    if (col < 0 || col >= area.cols || at < 0 || (size_t)at >= list_rows(palette) ||
        palette->scroll + (size_t)at >= palette->n_found)
        return false;
    palette->chosen = palette->scroll + (size_t)at;
    show_chosen(palette);
    return true;
}

void command_palette_wheel(void *state, int steps)
{
    choose(state, steps);
}

bool command_palette_take_request(void *state, struct pane_request *ret)
{
    struct command_palette *palette = state;
    return pane_request_take(&palette->request, ret);
}

/* ---- drawing ---- */

/* The title, with the letters that were found underlined, and its help after it as far as there
 * is room. */
static void draw_title(const struct command_palette *palette,
                       const struct command_palette_item *item, struct area line, bool ascii)
{
    bool hits[COMMAND_PALETTE_TITLE_CHARS];
    size_t size = strlen(item->title);
    int col = 0;
    (void)command_palette_score(palette->field.text, item->title, hits);
    for (size_t at = 0, i = 0; at < size; i++) {
        size_t step = text_character(item->title + at, size - at).size;
        size_t whole = step; /* with the marks on it */
        while (at + whole < size &&
               text_character(item->title + at + whole, size - at - whole).cols == 0) {
            whole += text_character(item->title + at + whole, size - at - whole).size;
            i++;
        }
        bool hit = i < COMMAND_PALETTE_TITLE_CHARS && hits[i];
        col = area_put(line, 0, col, look_marked(STYLE_PLAIN, hit ? MARK_BOLD | MARK_UNDERLINE : 0),
                       item->title + at, whole);
        at += whole;
    }
    if (item->kind == PANE_PRESS_KEY && strstr(item->title, item->help) != NULL)
        return;
    area_text(line, 0, col + 2, look_of(STYLE_QUIET), item->help);
    if (col + 2 + (int)text_width(item->help, strlen(item->help)) > line.cols)
        area_text(line, 0, line.cols - 1, look_of(STYLE_QUIET), ascii ? "~" : "\xE2\x80\xA6");
}

static void draw_item(const struct command_palette *palette,
                      const struct command_palette_item *item, struct area line, bool here,
                      bool ascii)
{
    int key = (int)text_width(item->key, strlen(item->key));
    int title_cols = line.cols - 2 - (key > 0 ? key + 2 : 0);
    area_text(line, 0, 0, look_of(STYLE_TITLE), here ? (ascii ? ">" : "\xE2\x96\xB8") : " ");
    draw_title(palette, item, area_part(line, 0, 2, 1, title_cols), ascii);
    area_text(line, 0, line.cols - key, look_of(STYLE_NAME), item->key);
    if (here)
        area_choose(line, 0, 0, line.cols);
}

/* The help of what is chosen, as far as its rows go. */
static void draw_detail(const struct command_palette *palette, struct area area, bool ascii)
{
    const char *text = "Nothing has this name; Backspace takes a letter back.";
    struct doc doc;
    doc_init(&doc);
    if (palette->n_found > 0) {
        const struct command_palette_item *item = &palette->items[palette->found[palette->chosen]];
        text = item->help[0] != '\0' ? item->help : item->title;
    }
    doc_wrap(&doc, STYLE_QUIET, text, (size_t)area.cols, 0);
    area_doc(area, &doc, 0, 0);
    if (doc.n_lines > (size_t)area.rows)
        area_text(area, area.rows - 1, area.cols - 4, look_of(STYLE_QUIET),
                  ascii ? " ..." : " \xE2\x80\xA6  ");
    doc_release(&doc);
}

void command_palette_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct command_palette *palette = state;
    if (area.rows <= FRAME_ROWS + FIELD_ROWS + DETAIL_ROWS || area.cols <= FRAME_COLS)
        return;
    int below = detail_rows(area.rows);
    struct area inside = area_frame(area, "Do what?", ascii);
    int col = area_text(inside, 0, 0, look_of(STYLE_TITLE), ": ");
    field_draw(&palette->field, area_part(inside, 0, col, 1, inside.cols - col),
               "some letters of it", focused);
    area_rule_across(inside, 1, ascii);
    struct area list =
        area_part(inside, FIELD_ROWS, 0, inside.rows - FIELD_ROWS - below, inside.cols);
    for (int row = 0; row < list.rows; row++) {
        size_t at = palette->scroll + (size_t)row;
        if (at < palette->n_found)
            draw_item(palette, &palette->items[palette->found[at]],
                      area_part(list, row, 0, 1, list.cols), at == palette->chosen, ascii);
    }
    area_rule_across(inside, inside.rows - below, ascii);
    struct area detail = area_part(inside, inside.rows - below + 1, 0, below - 1, inside.cols);
    draw_detail(palette, detail, ascii);
}

const struct pane_ops command_palette_ops = {
    .bindings = command_palette_bindings,
    .always_types = true,
    .clear = clear,
    .key = command_palette_key,
    .request = command_palette_request,
    .click = command_palette_click,
    .wheel = command_palette_wheel,
    .resize = command_palette_resize,
    .draw = command_palette_draw,
    .take_request = command_palette_take_request,
    .release = command_palette_release,
};
