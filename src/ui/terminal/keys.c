/* See keys.h. */
#include "ui/terminal/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/clock.h"
#include "ui/terminal/terminal_internal.h"

enum {
    SHIFT_F6 = KEY_F(18), /* as most terminal descriptions number it: twelve keys, then Shift */
    ALT_LEFT =
        KEY_MAX + 0x1000, /* a code of our own; ncurses numbers its own upwards from KEY_MAX */
    ESCAPE_MS = 25, /* so long an Escape waits for what may belong to it; $ESCDELAY says else */
    PASTE_GAP_MS = 1000, /* a paste that stands still for so long has lost its end */
    DOUBLE_CLICK_MS = 400,
    WHEEL_LINES = 3,
};

_Static_assert(KEYS_NONE == ERR, "what getch() returns where there is no key");

/* What terminals also send for keys, whatever their description says. */
static void know_more_keys(void)
{
    static const struct {
        const char *sequence;
        int code;
    } keys[] = {{"\x1b[H", KEY_HOME},   {"\x1b[F", KEY_END},     {"\x1b[1~", KEY_HOME},
                {"\x1b[4~", KEY_END},   {"\x1b[7~", KEY_HOME},   {"\x1b[8~", KEY_END},
                {"\x1bOP", KEY_F(1)},   {"\x1b[11~", KEY_F(1)},  {"\x1b[Z", KEY_BTAB},
                {"\x1bOQ", KEY_F(2)},   {"\x1b[12~", KEY_F(2)},  {"\x1b[[A", KEY_F(1)},
                {"\x1b[[B", KEY_F(2)},  {"\x1b[17~", KEY_F(6)},  {"\x1b[17;2~", SHIFT_F6},
                {"\x1b[31~", SHIFT_F6}, {"\x1b[1;3D", ALT_LEFT}, {"\x1b[1;2A", KEY_SR},
                {"\x1b[1;2B", KEY_SF},  {"\x1b[A", KEY_UP},      {"\x1b[B", KEY_DOWN},
                {"\x1b[C", KEY_RIGHT},  {"\x1b[D", KEY_LEFT}};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        define_key(keys[i].sequence, keys[i].code);
}

void key_reader_init(struct key_reader *reader)
{
    *reader = (struct key_reader){.held = KEYS_NONE};
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    know_more_keys();
    nodelay(stdscr, TRUE);
    intrflush(stdscr, FALSE);
    if (getenv("ESCDELAY") == NULL)
        set_escdelay(ESCAPE_MS);
    leaveok(stdscr, FALSE);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
}

static int key_of(int code)
{
    static const struct {
        int code, key;
    } keys[] = {
        {KEY_UP, KEYCODE_UP},         {KEY_DOWN, KEYCODE_DOWN},
        {KEY_LEFT, KEYCODE_LEFT},     {KEY_RIGHT, KEYCODE_RIGHT},
        {KEY_HOME, KEYCODE_HOME},     {KEY_END, KEYCODE_END},
        {KEY_PPAGE, KEYCODE_PAGE_UP}, {KEY_NPAGE, KEYCODE_PAGE_DOWN},
        {KEY_DC, KEYCODE_DELETE},     {KEY_BTAB, KEYCODE_BACK_TAB},
        {KEY_F(1), KEYCODE_F1},       {ALT_LEFT, KEYCODE_LEFT | KEYCODE_ALT},
        {KEY_F(2), KEYCODE_F2},       {KEY_F(6), KEYCODE_F6},
        {SHIFT_F6, KEYCODE_SHIFT_F6}, {KEY_SR, KEYCODE_SHIFT_UP},
        {KEY_SF, KEYCODE_SHIFT_DOWN}, {KEY_BACKSPACE, KEYCODE_BACKSPACE},
        {KEY_ENTER, KEYCODE_ENTER},
    };
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (keys[i].code == code)
            return keys[i].key;
    return KEYCODE_NONE;
}

static bool read_mouse(struct key_reader *reader, struct input *ret)
{
    MEVENT event;
    if (getmouse(&event) != OK)
        return false;
    *ret = (struct input){.row = event.y, .col = event.x};
    if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        ret->kind = INPUT_WHEEL;
        ret->steps = (event.bstate & BUTTON4_PRESSED) != 0 ? -WHEEL_LINES : WHEEL_LINES;
        return true;
    }
    if (!(event.bstate & BUTTON1_PRESSED))
        return false;
    int64_t now = clock_ms();
    ret->kind = INPUT_CLICK;
    ret->is_double = now - reader->click_ms < DOUBLE_CLICK_MS && event.y == reader->click_row &&
                     event.x == reader->click_col;
    reader->click_ms = ret->is_double ? 0 : now;
    reader->click_row = event.y;
    reader->click_col = event.x;
    return true;
}

/* The character that a byte ends; false where more bytes belong to it, which may come later, or
 * where it is not part of a character. */
static bool end_character(struct key_reader *reader, int byte, int *ret_key)
{
    wchar_t wide = 0;
    char c = (char)byte;
    bool fresh = mbsinit(&reader->character) != 0;
    size_t size = mbrtowc(&wide, &c, 1, &reader->character);
    if (size == (size_t)-1) { /* a character was cut off, and the next one may begin here */
        reader->character = (mbstate_t){0};
        return !fresh && end_character(reader, byte, ret_key);
    }
    *ret_key = (int)wide;
    return size != (size_t)-2;
}

/* After "Escape [": what belongs to a sequence that ncurses does not know, which is no key. */
static void skip_sequence(struct key_reader *reader, int code)
{
    static const char paste_begins[] = "200~", paste_ends[] = "201~";
    char text[8] = {0};
    size_t n = 0;
    timeout(ESCAPE_MS);
    for (; code >= ' ' && code < 0x100; code = getch()) {
        if (n + 1 < sizeof text)
            text[n++] = (char)code;
        if (code >= '@')
            break;
    }
    nodelay(stdscr, TRUE);
    if (code >= 0x100)
        reader->held = code;
    if (strcmp(text, paste_begins) == 0 || strcmp(text, paste_ends) == 0) {
        reader->pastes = text[2] == '0';
        reader->after_return = false;
        reader->pasted_ms = clock_ms();
    }
}

/* A key that came right after an Escape belongs to it. */
static int key_after_escape(struct key_reader *reader)
{
    int code = getch(), key = KEYCODE_NONE, after;
    if (code == ERR)
        return KEYCODE_ESCAPE;
    if (code >= 0x100) {
        reader->held = code;
        return KEYCODE_ESCAPE;
    }
    if ((code == '[' || code == 'O') && (after = getch()) != ERR) {
        if (code == '[')
            skip_sequence(reader, after);
        return KEYCODE_NONE;
    }
    while (!end_character(reader, code, &key))
        if ((code = getch()) == ERR || code >= 0x100)
            return KEYCODE_ESCAPE;
    return key | KEYCODE_ALT;
}

/* Of a paste come characters, Enter and Tab, and nothing that acts. */
static int pasted_key(struct key_reader *reader, int key)
{
    bool after_return = reader->after_return;
    bool acts = key < ' ' || key == KEYCODE_BACKSPACE;
    if (acts && key != '\r' && key != '\n' && key != KEYCODE_TAB)
        return KEYCODE_NONE;
    reader->after_return = key == '\r';
    reader->pasted_ms = clock_ms();
    if (key == '\n')
        return after_return ? KEYCODE_NONE : KEYCODE_ENTER;
    return key;
}

static int plain_key(struct key_reader *reader, int key)
{
    bool pasted = reader->pastes;
    if (key == KEYCODE_ESCAPE)
        key = key_after_escape(reader);
    else if (pasted)
        return pasted_key(reader, key);
    if (pasted)
        return reader->pastes ? KEYCODE_NONE : KEYCODE_PASTE_END;
    if (key == 8)
        return KEYCODE_BACKSPACE;
    return key == '\n' ? KEYCODE_ENTER : key;
}

/* One key or click that is there already. */
bool key_reader_next(struct key_reader *reader, struct input *ret)
{
    int code, key;
    reader->has_read = false;
    if (reader->pastes && clock_ms() - reader->pasted_ms > PASTE_GAP_MS) {
        reader->pastes = false;
        *ret = (struct input){.kind = INPUT_KEY, .key = KEYCODE_PASTE_END, .is_pasted = true};
        return true;
    }
    for (;;) {
        code = reader->held != KEYS_NONE ? reader->held : getch(); /* a byte, or code of a key */
        reader->held = KEYS_NONE;
        if (code == ERR)
            return false;
        reader->has_read = true;
        *ret = (struct input){.kind = INPUT_KEY};
        if (code >= 0x100)
            reader->character = (mbstate_t){0};
        if (code == KEY_MOUSE && read_mouse(reader, ret))
            return true;
        if (code == KEY_MOUSE || code == KEY_RESIZE)
            continue; /* of the size our own signal tells */
        if (code < 0x100 && !end_character(reader, code, &key))
            continue;
        if (code >= 0x100)
            ret->key = reader->pastes ? KEYCODE_NONE : key_of(code);
        else
            ret->key = plain_key(reader, key);
        ret->is_pasted = reader->pastes || ret->key == KEYCODE_PASTE_END;
        if (ret->key != KEYCODE_NONE)
            return true;
    }
}
