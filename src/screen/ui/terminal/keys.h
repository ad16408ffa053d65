/* From the bytes that a terminal sends to keys, clicks, pastes and answers to questions. This code
 * reads nothing and knows no clock: the caller passes bytes and the time.
 *
 * Terminals put an Escape before the bytes of most keys, and slow lines cut such a key in two. So
 * some bytes wait for the rest of a key:
 *
 *   - an Escape waits escape_ms ($ESCDELAY), and is then the key Esc;
 *   - a longer beginning of a key waits KEYS_CUT_MS;
 *   - if an Escape has become the key Esc and within KEYS_CUT_MS after it the rest of an arrow or
 *     a similar key comes in one piece ("[A", "OA"), that rest is the arrow, and not text. People
 *     who type a bracket after Esc are safe: they do not type it in one piece with the next
 * letter. */
#ifndef ATTN_UI_TERMINAL_KEYS_H
#define ATTN_UI_TERMINAL_KEYS_H

#include <stdint.h>

#include "ui/terminal/input.h"

enum {
    KEYS_ESCAPE_MS = 50,
    KEYS_CUT_MS = 500,
    KEYS_TOGETHER_MS = 30, /* bytes that come within this time of each other are one piece */
    KEYS_BYTES = 1024,
    KEYS_KNOWN = 32, /* sequences of this terminal's description */
    KEYS_SEQUENCE_BYTES = 12,
};

/* The terminal's answers to questions (terminal.c asks them). */
struct key_answers {
    bool is_asked;      /* answers may come */
    bool is_done;       /* the last one has come */
    bool has_sync;      /* it can show a frame at once: DEC private mode 2026 */
    int32_t background; /* 0xRRGGBB; -1: unknown */
};

struct key_reader {
    bool is_utf8;
    int escape_ms;
    struct known_key {
        char sequence[KEYS_SEQUENCE_BYTES];
        size_t size;
        int key;
    } known[KEYS_KNOWN];
    size_t n_known;

    unsigned char bytes[KEYS_BYTES]; /* [begin, end) were read, but are not keys yet */
    size_t begin, end;
    int64_t read_ms;      /* when the newest byte came */
    int64_t cut_until_ms; /* until then the rest of a key whose Escape was read as Esc may come */
    bool was_apart;       /* the newest bytes came too late to be one piece with the earlier ones */

    bool pastes;       /* between the marks that terminals put around a paste */
    bool after_return; /* the last pasted key was Enter */
    int64_t pasted_ms;
    int64_t click_ms; /* the last click, for double ones */
    int click_row, click_col;
    struct key_answers answers;
};

/* Letters outside ASCII are read as UTF-8 if the terminal is_utf8, else left out. */
void key_reader_init(struct key_reader *reader, bool is_utf8, int escape_ms);
/* Makes a sequence of the terminal's description that begins with Escape known as a key. Ignores
 * other sequences, and NULL. */
void key_reader_know(struct key_reader *reader, const char *sequence, int key);
/* Copies bytes that were read at this time; returns how many fit. */
size_t key_reader_take(struct key_reader *reader, const char *bytes, size_t size, int64_t now_ms);
/* The next key, click or paste. False if it is not complete yet. */
bool key_reader_next(struct key_reader *reader, int64_t now_ms, struct input *ret);
/* Whether the bytes read so far make a key whatever comes after them. */
bool key_reader_is_ready(const struct key_reader *reader);
/* The longest time to wait before key_reader_next() must be asked again even though no byte came;
 * -1: nothing waits. */
int key_reader_wait_ms(const struct key_reader *reader, int64_t now_ms);

#endif
