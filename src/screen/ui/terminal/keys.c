/* See keys.h. The sequences are those of xterm ("XTerm Control Sequences", ctlseqs), of DEC's
 * terminals and of the Linux console, which nearly all terminals send, whatever their description
 * says. */
#include "ui/terminal/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum {
    ESCAPE = 27,
    BELL = 7,
    PASTE_GAP_MS = 1000, /* a paste that stands still for so long has lost its end */
    ANSWER_GAP_MS = 2000,
    ANSWER_BYTES = 64,
    DOUBLE_CLICK_MS = 400,
    WHEEL_LINES = 3,
    MAX_PARAMETERS = 4,
    MODE_SYNC = 2026,
};

/* The kind of event that the first bytes are. */
struct event {
    enum {
        EVENT_WAIT, /* more must come, or time pass */
        EVENT_NONE, /* they mean nothing */
        EVENT_KEY,
        EVENT_MOUSE,
        EVENT_PASTE_BEGINS,
        EVENT_PASTE_ENDS,
        EVENT_BACKGROUND,
        EVENT_SYNC,
        EVENT_ANSWERED,
    } kind;
    size_t size; /* how many bytes it takes */
    int wait_ms; /* EVENT_WAIT: how long it waits for more, from the newest byte on; -1: for ever */
    int key;     /* EVENT_KEY */
    int button, row, col; /* EVENT_MOUSE */
    int32_t value;        /* EVENT_BACKGROUND and EVENT_SYNC */
    bool is_lone_escape;  /* EVENT_KEY: an Escape after which nothing came */
};

static struct event waiting(int wait_ms)
{
    return (struct event){.kind = EVENT_WAIT, .wait_ms = wait_ms};
}

static struct event nothing(size_t size)
{
    return (struct event){.kind = EVENT_NONE, .size = size};
}

static struct event key_event(int key, size_t size)
{
    return (struct event){
        .kind = key == KEYCODE_NONE ? EVENT_NONE : EVENT_KEY, .size = size, .key = key};
}

/* ---- characters ---- */

static size_t utf8_size(unsigned char first)
{
    return first < 0x80   ? 1
           : first < 0xC2 ? 0
           : first < 0xE0 ? 2
           : first < 0xF0 ? 3
           : first < 0xF5 ? 4
                          : 0;
}

/* size is at least 1. */
static struct event character(const struct key_reader *reader, const unsigned char *bytes,
                              size_t size)
{
    size_t whole = utf8_size(bytes[0]), n = 1;
    if (whole == 1)
        return key_event(bytes[0] == 8      ? KEYCODE_BACKSPACE
                         : bytes[0] == '\n' ? KEYCODE_ENTER
                                            : bytes[0],
                         1);
    if (whole == 0 || !reader->is_utf8)
        return nothing(1);
    int32_t point = bytes[0] & (0x7F >> whole);
    for (; n < whole && n < size && (bytes[n] & 0xC0) == 0x80; n++)
        point = point << 6 | (bytes[n] & 0x3F);
    if (n == whole) {
        char text[KEY_BYTES];
        return key_bytes(point, text) == whole ? key_event(point, n) : nothing(n);
    }
    return n == size ? waiting(-1) : nothing(n); /* the next byte begins another character */
}

/* ---- keys that are not characters ---- */

enum modifier { SHIFT = 1, ALT = 2, CONTROL = 4 };

static int with_modifiers(int key, int modifiers)
{
    static const struct {
        int plain, shifted;
    } shifted[] = {{KEYCODE_UP, KEYCODE_SHIFT_UP},
                   {KEYCODE_DOWN, KEYCODE_SHIFT_DOWN},
                   {KEYCODE_LEFT, KEYCODE_SHIFT_LEFT},
                   {KEYCODE_RIGHT, KEYCODE_SHIFT_RIGHT},
                   {KEYCODE_F6, KEYCODE_SHIFT_F6}};
    if (modifiers == 0 || key == KEYCODE_BACK_TAB || key == KEYCODE_NONE)
        return key;
    if (modifiers == ALT)
        return key | KEYCODE_ALT;
    for (size_t i = 0; modifiers == SHIFT && i < COUNT_OF(shifted); i++)
        if (shifted[i].plain == key)
            return shifted[i].shifted;
    return KEYCODE_NONE;
}

/* The key of the letter that ends a sequence. */
static int key_of_letter(unsigned char letter)
{
    switch (letter) {
    case 'A':
        return KEYCODE_UP;
    case 'B':
        return KEYCODE_DOWN;
    case 'C':
        return KEYCODE_RIGHT;
    case 'D':
        return KEYCODE_LEFT;
    case 'H':
        return KEYCODE_HOME;
    case 'F':
        return KEYCODE_END;
    case 'P':
        return KEYCODE_F1;
    case 'Q':
        return KEYCODE_F2;
    case 'Z':
        return KEYCODE_BACK_TAB;
    default:
        return KEYCODE_NONE;
    }
}

/* The key of the number of a sequence that ends in ~. */
static int key_of_number(int number)
{
    static const struct {
        int number, key;
    } keys[] = {{1, KEYCODE_HOME},    {3, KEYCODE_DELETE},    {4, KEYCODE_END},
                {5, KEYCODE_PAGE_UP}, {6, KEYCODE_PAGE_DOWN}, {7, KEYCODE_HOME},
                {8, KEYCODE_END},     {11, KEYCODE_F1},       {12, KEYCODE_F2},
                {17, KEYCODE_F6},     {20, KEYCODE_F9},       {31, KEYCODE_SHIFT_F6}};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (keys[i].number == number)
            return keys[i].key;
    return KEYCODE_NONE;
}

/* The key of a character that was sent as its number, with its modifiers: xterm's modifyOtherKeys
 * and the protocol of kitty. Esc comes so without a wait, and is never taken for the Alt of the key
 * after it. */
static int key_of_code(int code, int modifiers)
{
    enum { SPACE = ' ', CONTROL_BITS = 0x1F };
    if (code == KEYCODE_TAB && modifiers == SHIFT)
        return KEYCODE_BACK_TAB;
    bool is_letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    bool is_key = code == KEYCODE_TAB || code == KEYCODE_ENTER || code == KEYCODE_ESCAPE ||
                  (code >= SPACE && code <= KEYCODE_BACKSPACE);
    int key = (modifiers & CONTROL) != 0 && is_letter ? code & CONTROL_BITS : code;
    if (!is_key || ((modifiers & CONTROL) != 0 && !is_letter))
        return KEYCODE_NONE;
    return (modifiers & ALT) != 0 ? key | KEYCODE_ALT : key;
}

/* The numbers of "1;2", those that are left out as 0. Returns how many there are. */
static size_t read_parameters(const unsigned char *bytes, size_t size, int ret[MAX_PARAMETERS])
{
    size_t n = 1;
    memset(ret, 0, MAX_PARAMETERS * sizeof *ret);
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == ';' && n == MAX_PARAMETERS)
            break;
        if (bytes[i] == ';')
            n++;
        else if (text_is_digit((char)bytes[i]) && ret[n - 1] < 100000)
            ret[n - 1] = ret[n - 1] * 10 + (bytes[i] - '0');
    }
    return n;
}

/* A whole sequence: Escape [, parameters, and the letter that ends it. */
static struct event control_sequence(const unsigned char *bytes, size_t size)
{
    int numbers[MAX_PARAMETERS];
    const unsigned char *parameters = bytes + 2;
    unsigned char letter = bytes[size - 1];
    bool is_private = parameters[0] >= '<' && parameters[0] <= '?';
    size_t n_bytes = size - 3 - is_private;
    size_t n = read_parameters(parameters + is_private, n_bytes, numbers);
    int modifiers = n > 1 && numbers[1] > 1 ? numbers[1] - 1 : 0;
    if (parameters[0] == '<' && letter == 'M')
        return (struct event){.kind = EVENT_MOUSE,
                              .size = size,
                              .button = numbers[0],
                              .row = numbers[2] - 1,
                              .col = numbers[1] - 1};
    if (parameters[0] == '?' && letter == 'c')
        return (struct event){.kind = EVENT_ANSWERED, .size = size};
    if (parameters[0] == '?' && letter == 'y' && numbers[0] == MODE_SYNC)
        return (struct event){
            .kind = EVENT_SYNC, .size = size, .value = numbers[1] >= 1 && numbers[1] <= 3};
    if (is_private || (size > 3 && bytes[size - 2] < '0')) /* of another kind */
        return nothing(size);
    if (letter == '~' && (numbers[0] == 200 || numbers[0] == 201))
        return (struct event){.kind = numbers[0] == 200 ? EVENT_PASTE_BEGINS : EVENT_PASTE_ENDS,
                              .size = size};
    if (letter == 'u')
        return key_event(key_of_code(numbers[0], modifiers), size);
    if (letter == '~' && numbers[0] == ESCAPE && n > 2)
        return key_event(key_of_code(numbers[2], modifiers), size);
    int key = letter == '~' ? key_of_number(numbers[0]) : key_of_letter(letter);
    return key_event(with_modifiers(key, modifiers), size);
}

/* Bytes that begin with Escape [. */
static struct event after_bracket(const unsigned char *bytes, size_t size)
{
    enum { MOUSE_BYTES = 6, CONSOLE_BYTES = 4 };
    size_t i = 2;
    if (size > 2 && bytes[2] == 'M') { /* the mouse as old terminals report it */
        if (size < MOUSE_BYTES)
            return waiting(KEYS_CUT_MS);
        return (struct event){.kind = EVENT_MOUSE,
                              .size = MOUSE_BYTES,
                              .button = bytes[3] - ' ',
                              .row = bytes[5] - '!',
                              .col = bytes[4] - '!'};
    }
    if (size > 2 && bytes[2] == '[') { /* a function key of the Linux console */
        int key = size < CONSOLE_BYTES ? 0
                  : bytes[3] == 'A'    ? KEYCODE_F1
                  : bytes[3] == 'B'    ? KEYCODE_F2
                                       : KEYCODE_NONE;
        return size < CONSOLE_BYTES ? waiting(KEYS_CUT_MS) : key_event(key, CONSOLE_BYTES);
    }
    while (i < size && bytes[i] >= ' ' && bytes[i] <= '?')
        i++;
    if (i == size)
        return waiting(KEYS_CUT_MS);
    return bytes[i] >= '@' && bytes[i] <= '~' ? control_sequence(bytes, i + 1) : nothing(i);
}

/* Bytes that begin with Escape O. */
static struct event after_letter_o(const unsigned char *bytes, size_t size)
{
    size_t i = 2;
    while (i < size && text_is_digit((char)bytes[i]))
        i++;
    if (i == size)
        return waiting(KEYS_CUT_MS);
    int modifiers = i > 2 && bytes[i - 1] > '1' ? bytes[i - 1] - '1' : 0;
    int key = bytes[i] == 'M' ? KEYCODE_ENTER : key_of_letter(bytes[i]);
    return bytes[i] < ' ' ? nothing(i) : key_event(with_modifiers(key, modifiers), i + 1);
}

/* ---- answers ---- */

/* One of the colours of "rgb:1e1e/2020/2828", of 1 to 4 digits, as 0 to 255. False for none. */
static bool read_channel(const char **at, int32_t *ret)
{
    char *end;
    if (strspn(*at, "0123456789abcdefABCDEF") == 0)
        return false;
    long value = strtol(*at, &end, 16);
    long digits = end - *at;
    if (digits > 4)
        return false;
    *ret = (int32_t)(value * 255 / ((1L << 4 * digits) - 1));
    *at = end;
    return true;
}

/* -1: no colour. */
static int32_t read_colour(const char *text)
{
    int32_t red, green, blue;
    const char *at = strchr(text, ':');
    if (strncmp(text, "rgb", 3) != 0 || at == NULL)
        return -1;
    at++;
    if (!read_channel(&at, &red) || *at++ != '/' || !read_channel(&at, &green) || *at++ != '/' ||
        !read_channel(&at, &blue))
        return -1;
    return red << 16 | green << 8 | blue;
}

/* Bytes that begin with Escape ]: the colour of the background. EVENT_KEY: no answer. */
static struct event answer(const unsigned char *bytes, size_t size)
{
    static const char begin[] = "\x1b]11;";
    const size_t n_begin = sizeof begin - 1;
    char text[ANSWER_BYTES];
    size_t n = 0, i = n_begin;
    if (memcmp(bytes, begin, size < n_begin ? size : n_begin) != 0)
        return key_event(']' | KEYCODE_ALT, 2);
    for (; i < size && bytes[i] >= ' ' && n + 1 < sizeof text; i++)
        text[n++] = (char)bytes[i];
    if (i >= size || (bytes[i] == ESCAPE && i + 1 == size))
        return waiting(ANSWER_GAP_MS);
    text[n] = '\0';
    bool ends = bytes[i] == BELL || (bytes[i] == ESCAPE && bytes[i + 1] == '\\');
    if (!ends)
        return nothing(i);
    return (struct event){.kind = EVENT_BACKGROUND,
                          .size = i + (bytes[i] == BELL ? 1 : 2),
                          .value = read_colour(text)};
}

/* ---- the next bytes' event ---- */

/* Of this terminal's description. EVENT_NONE with no size: no key. */
static struct event known_key(const struct key_reader *reader, const unsigned char *bytes,
                              size_t size)
{
    struct event found = nothing(0);
    for (size_t i = 0; i < reader->n_known; i++) {
        const struct known_key *known = &reader->known[i];
        size_t n = known->size < size ? known->size : size;
        if (memcmp(known->sequence, bytes, n) != 0)
            continue;
        if (n < known->size && found.size == 0)
            found = waiting(KEYS_CUT_MS);
        else if (n == known->size && n > found.size)
            found = key_event(known->key, n);
    }
    return found;
}

/* Bytes that begin with Escape and another one. */
static struct event sequence(const struct key_reader *reader, const unsigned char *bytes,
                             size_t size)
{
    struct event found = known_key(reader, bytes, size);
    if (found.size > 0)
        return found;
    bool may_be_known = found.kind == EVENT_WAIT;
    if (bytes[1] == '[')
        found = after_bracket(bytes, size);
    else if (bytes[1] == 'O')
        found = after_letter_o(bytes, size);
    else if (bytes[1] == ']' && reader->answers.is_asked)
        found = answer(bytes, size);
    else if (bytes[1] < ' ')
        found = key_event(KEYCODE_ESCAPE, 1); /* and the other is a separate key */
    else {
        found = character(reader, bytes + 1, size - 1);
        found.size += found.kind != EVENT_WAIT;
        if (found.kind == EVENT_KEY)
            found.key |= KEYCODE_ALT;
        else if (found.kind == EVENT_WAIT)
            found.wait_ms = KEYS_CUT_MS;
    }
    return may_be_known && size < KEYS_SEQUENCE_BYTES && found.kind == EVENT_NONE
               ? waiting(KEYS_CUT_MS)
               : found;
}

/* The rest of a key whose Escape has become the key Esc. EVENT_NONE with no size: not such a
 * rest. */
static struct event rest_of_key(const struct key_reader *reader, const unsigned char *bytes,
                                size_t size)
{
    unsigned char whole[ANSWER_BYTES] = {ESCAPE};
    size_t n = size < sizeof whole - 1 ? size : sizeof whole - 1;
    bool is_answer = reader->answers.is_asked &&
                     (bytes[0] == ']' || (bytes[0] == '[' && size > 1 && bytes[1] == '?'));
    if (reader->was_apart || reader->read_ms > reader->cut_until_ms ||
        (bytes[0] != '[' && bytes[0] != 'O' && !is_answer))
        return nothing(0);
    memcpy(whole + 1, bytes, n);
    struct event found = sequence(reader, whole, n + 1);
    if (found.kind == EVENT_WAIT)
        return waiting(is_answer && size > 3 ? ANSWER_GAP_MS : KEYS_TOGETHER_MS);
    bool is_alone = found.size == n + 1 || whole[found.size] == ESCAPE;
    if ((found.kind == EVENT_NONE && !is_answer) || (found.kind == EVENT_KEY && !is_alone))
        return nothing(0);
    found.size--;
    return found;
}

static struct event first_event(const struct key_reader *reader)
{
    const unsigned char *bytes = reader->bytes + reader->begin;
    size_t size = reader->end - reader->begin;
    if (size == 0)
        return waiting(-1);
    if (bytes[0] == ESCAPE)
        return size == 1 ? waiting(reader->escape_ms) : sequence(reader, bytes, size);
    struct event rest = rest_of_key(reader, bytes, size);
    return rest.kind == EVENT_WAIT || rest.size > 0 ? rest : character(reader, bytes, size);
}

/* The event of bytes whose rest did not come in time. */
static struct event give_up(const struct key_reader *reader)
{
    const unsigned char *bytes = reader->bytes + reader->begin;
    size_t size = reader->end - reader->begin;
    if (bytes[0] != ESCAPE)
        return character(reader, bytes, size);
    if (size > 2)
        return nothing(size);
    struct event event = key_event(KEYCODE_ESCAPE, 1);
    event.is_lone_escape = size == 1;
    return event;
}

static struct event event_at(const struct key_reader *reader, int64_t now_ms)
{
    struct event event = first_event(reader);
    bool is_late =
        event.kind == EVENT_WAIT && event.wait_ms >= 0 && now_ms - reader->read_ms >= event.wait_ms;
    return is_late ? give_up(reader) : event;
}

/* ---- input ---- */

/* Of a paste come characters, Enter and Tab, and nothing that acts. */
static int pasted_key(struct key_reader *reader, int key, unsigned char byte, int64_t now_ms)
{
    bool after_return = reader->after_return;
    bool acts = key < ' ' || key >= KEYCODE_UP || key == KEYCODE_BACKSPACE;
    if (acts && key != KEYCODE_ENTER && key != KEYCODE_TAB)
        return KEYCODE_NONE;
    reader->after_return = byte == '\r';
    reader->pasted_ms = now_ms;
    return byte == '\n' && after_return ? KEYCODE_NONE : key;
}

static bool mouse_input(struct key_reader *reader, const struct event *event, int64_t now_ms,
                        struct input *ret)
{
    enum { MODIFIERS = 4 | 8 | 16, WHEEL_UP = 64, WHEEL_DOWN = 65 };
    int button = event->button & ~MODIFIERS;
    *ret = (struct input){.row = event->row, .col = event->col};
    if (event->row < 0 || event->col < 0)
        return false;
    if (button == WHEEL_UP || button == WHEEL_DOWN) {
        ret->kind = INPUT_WHEEL;
        ret->steps = button == WHEEL_UP ? -WHEEL_LINES : WHEEL_LINES;
        return true;
    }
    if (button != 0)
        return false;
    ret->kind = INPUT_CLICK;
    ret->is_double = now_ms - reader->click_ms < DOUBLE_CLICK_MS &&
                     event->row == reader->click_row && event->col == reader->click_col;
    reader->click_ms = ret->is_double ? 0 : now_ms;
    reader->click_row = event->row;
    reader->click_col = event->col;
    return true;
}

static bool key_input(struct key_reader *reader, const struct event *event, unsigned char byte,
                      int64_t now_ms, struct input *ret)
{
    int key = reader->pastes ? pasted_key(reader, event->key, byte, now_ms) : event->key;
    *ret = (struct input){.kind = INPUT_KEY, .key = key, .is_pasted = reader->pastes};
    if (event->is_lone_escape)
        reader->cut_until_ms = reader->read_ms + KEYS_CUT_MS;
    return key != KEYCODE_NONE;
}

/* True with *ret if a paste ended. */
static bool end_paste(struct key_reader *reader, struct input *ret)
{
    bool pasted = reader->pastes;
    *ret = (struct input){.kind = INPUT_KEY, .key = KEYCODE_PASTE_END, .is_pasted = true};
    reader->pastes = false;
    return pasted;
}

/* True with *ret if the event is input. */
static bool heed(struct key_reader *reader, const struct event *event, unsigned char byte,
                 int64_t now_ms, struct input *ret)
{
    switch (event->kind) {
    case EVENT_KEY:
        return key_input(reader, event, byte, now_ms, ret);
    case EVENT_MOUSE:
        return mouse_input(reader, event, now_ms, ret);
    case EVENT_PASTE_BEGINS:
        reader->pastes = true;
        reader->after_return = false;
        reader->pasted_ms = now_ms;
        return false;
    case EVENT_PASTE_ENDS:
        return end_paste(reader, ret);
    case EVENT_BACKGROUND:
        reader->answers.background = event->value;
        return false;
    case EVENT_SYNC:
        reader->answers.has_sync = event->value != 0;
        return false;
    case EVENT_ANSWERED:
        reader->answers.is_done = true;
        return false;
    case EVENT_NONE:
    case EVENT_WAIT:
        break;
    }
    return false;
}

bool key_reader_next(struct key_reader *reader, int64_t now_ms, struct input *ret)
{
    if (reader->pastes && now_ms - reader->pasted_ms >= PASTE_GAP_MS)
        return end_paste(reader, ret);
    for (;;) {
        struct event event = event_at(reader, now_ms);
        if (event.kind == EVENT_WAIT)
            return false;
        unsigned char byte = reader->bytes[reader->begin];
        reader->begin += event.size;
        if (!event.is_lone_escape)
            reader->cut_until_ms = INT64_MIN;
        if (heed(reader, &event, byte, now_ms, ret))
            return true;
    }
}

bool key_reader_is_ready(const struct key_reader *reader)
{
    return first_event(reader).kind != EVENT_WAIT;
}

int key_reader_wait_ms(const struct key_reader *reader, int64_t now_ms)
{
    struct event event = first_event(reader);
    if (event.kind != EVENT_WAIT)
        return 0;
    int64_t until = event.wait_ms < 0 ? INT64_MAX : reader->read_ms + event.wait_ms;
    if (reader->pastes && reader->pasted_ms + PASTE_GAP_MS < until)
        until = reader->pasted_ms + PASTE_GAP_MS;
    return until == INT64_MAX ? -1 : until < now_ms ? 0 : (int)(until - now_ms);
}

size_t key_reader_take(struct key_reader *reader, const char *bytes, size_t size, int64_t now_ms)
{
    size_t waits = reader->end - reader->begin, room = sizeof reader->bytes - waits;
    size = size < room ? size : room;
    if (size == 0)
        return 0;
    memmove(reader->bytes, reader->bytes + reader->begin, waits);
    memcpy(reader->bytes + waits, bytes, size);
    reader->begin = 0;
    reader->end = waits + size;
    reader->was_apart = waits > 0 && now_ms - reader->read_ms > KEYS_TOGETHER_MS;
    reader->read_ms = now_ms;
    return size;
}

void key_reader_know(struct key_reader *reader, const char *sequence, int key)
{
    size_t size = sequence != NULL ? strcspn(sequence, "$") : 0;
    if (size < 2 || size >= KEYS_SEQUENCE_BYTES || sequence[0] != ESCAPE ||
        reader->n_known == KEYS_KNOWN)
        return;
    struct known_key *known = &reader->known[reader->n_known++];
    *known = (struct known_key){.size = size, .key = key};
    memcpy(known->sequence, sequence, size);
}

void key_reader_init(struct key_reader *reader, bool is_utf8, int escape_ms)
{
    *reader = (struct key_reader){.is_utf8 = is_utf8,
                                  .escape_ms = escape_ms,
                                  .cut_until_ms = INT64_MIN,
                                  .answers = {.background = -1}};
}
