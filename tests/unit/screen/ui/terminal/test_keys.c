/* ui/terminal/keys.h: bytes of terminals in, keys out, at times that the test chooses. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "ui/terminal/keys.h"

enum { MANY = 64, START_MS = 1000 };

struct typist {
    struct key_reader reader;
    int64_t now_ms;
    struct input got[MANY];
    size_t n;
};

static void begin(struct typist *typist)
{
    *typist = (struct typist){.now_ms = START_MS};
    key_reader_init(&typist->reader, true, KEYS_ESCAPE_MS);
    key_reader_know(&typist->reader, "\x1bOA", KEYCODE_UP);
    key_reader_know(&typist->reader, "\x1b[33^", KEYCODE_F9); /* as no grammar has it */
}

/* All input that there is by now. */
static void collect(struct typist *typist)
{
    while (typist->n < MANY &&
           key_reader_next(&typist->reader, typist->now_ms, &typist->got[typist->n]))
        typist->n++;
}

/* Lets time pass, with a look whenever the reader wants one, as the loop of attn does it. */
static void let_pass(struct typist *typist, int64_t ms)
{
    int64_t until = typist->now_ms + ms;
    collect(typist);
    for (;;) {
        int wait_ms = key_reader_wait_ms(&typist->reader, typist->now_ms);
        if (wait_ms < 0 || typist->now_ms + wait_ms > until)
            break;
        typist->now_ms += wait_ms;
        collect(typist);
    }
    typist->now_ms = until;
}

static void type(struct typist *typist, const char *bytes)
{
    size_t size = strlen(bytes);
    assert_int_equal(key_reader_take(&typist->reader, bytes, size, typist->now_ms), size);
    collect(typist);
}

/* What came, as text: keys by their names, blanks between them. */
static const char *came(struct typist *typist)
{
    static char text[MANY * 20];
    size_t size = 0;
    text[0] = '\0';
    for (size_t i = 0; i < typist->n; i++) {
        char name[16];
        const struct input *input = &typist->got[i];
        if (input->kind == INPUT_CLICK)
            snprintf(name, sizeof name, "click%d,%d", input->row, input->col);
        else if (input->kind == INPUT_WHEEL)
            snprintf(name, sizeof name, "wheel%d", input->steps);
        else
            key_text(input->key, name);
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%s%s", i > 0 ? " " : "",
                                 input->is_pasted ? "p:" : "", name);
    }
    typist->n = 0;
    return text;
}

static void test_keys__what_terminals_send(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *keys;
    } rows[] = {
        {"ab\r\n\t\x7f\x08", "a b Enter Enter Tab Backspace Backspace"},
        {"\xC3\xA9\xE6\xB0\xB4\xF0\x9F\x99\x82", "\xC3\xA9 \xE6\xB0\xB4 \xF0\x9F\x99\x82"},
        {"\xC3z\x80\xFF!", "z !"}, /* what is not UTF-8 is no character */
        {"\x1b[A\x1bOB\x1b[C\x1bOD", "Up Down Right Left"},
        {"\x1b[H\x1bOF\x1b[1~\x1b[4~\x1b[7~\x1b[8~", "Home End Home End Home End"},
        {"\x1b[3~\x1b[5~\x1b[6~\x1b[Z", "Del PgUp PgDn Shift-Tab"},
        {"\x1bOP\x1b[11~\x1b[[A\x1bOQ\x1b[12~\x1b[[B", "F1 F1 F1 F2 F2 F2"},
        {"\x1b[17~\x1b[17;2~\x1b[31~\x1b[20~\x1b[33^", "F6 Shift-F6 Shift-F6 F9 F9"},
        {"\x1b[1;2A\x1b[1;2B\x1b[1;2C\x1b[1;2D", "Shift-Up Shift-Down Shift-Right Shift-Left"},
        {"\x1b[1;3D\x1b[1;5D\x1b[1;1D", "Alt-Left Left"},
        {"\x1bx\x1b\xC3\xA9\x1b\x7f", "Alt-x Alt-\xC3\xA9 Alt-Backspace"},
        {"\x1b\r", "Esc Enter"},
        {"\x1b[27ux\x1b[27u\x1b[A", "Esc x Esc Up"}, /* keys by their numbers */
        {"\x1b[97;3u\x1b[127u\x1b[13;1u\x1b[9;2u", "Alt-a Backspace Enter Shift-Tab"},
        {"\x1b[27;5;116~\x1b[27;3;91~\x1b[116;5u", "^T Alt-[ ^T"},
        {"\x1b[57358u\x1b[49;5u!", "!"},
        {"\x1b\x1b[A", "Esc Up"},
        {"\x1b[I\x1b[99;99R\x1bOx\x1b[24~!", "!"}, /* no keys of ours */
        {"\x1b[<0;3;2M\x1b[<0;3;2m\x1b[<64;1;1M\x1b[<65;1;1M", "click1,2 wheel-3 wheel3"},
        {"\x1b[M #\"\x1b[M#!!", "click1,2"}, /* and its end, which is no click */
        {"\x1b[200~a\x1b[Ab\r\nc\x01\t\x1b[201~d", "p:a p:b p:Enter p:c p:Tab p:? d"},
        {"\x1b]x", "Alt-] x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct typist typist;
        begin(&typist);
        type(&typist, rows[i].bytes);
        assert_string_equal(came(&typist), rows[i].keys);
        begin(&typist); /* cut between any two bytes, by a line that is slow, but not very */
        for (const char *c = rows[i].bytes; *c != '\0'; c++) {
            type(&typist, (char[]){*c, '\0'});
            let_pass(&typist, KEYS_ESCAPE_MS - 1);
        }
        assert_string_equal(came(&typist), rows[i].keys);
    }
}

static void test_keys__escape_waits(void **state)
{
    (void)state;
    struct typist typist;
    begin(&typist);
    type(&typist, "\x1b");
    assert_int_equal(key_reader_wait_ms(&typist.reader, typist.now_ms), KEYS_ESCAPE_MS);
    assert_false(key_reader_is_ready(&typist.reader));
    let_pass(&typist, KEYS_ESCAPE_MS - 1);
    assert_string_equal(came(&typist), "");
    let_pass(&typist, 1);
    assert_string_equal(came(&typist), "Esc");
    assert_int_equal(key_reader_wait_ms(&typist.reader, typist.now_ms), -1);
}

/* A slow line cuts after the Escape, which has become Esc, or after the second byte. */
static void test_keys__an_arrow_cut_in_two(void **state)
{
    (void)state;
    static const char *const rests[] = {"[A", "OA", "[1~", "[1;2A", "[3~", "[33^"};
    static const char *const keys[] = {"Up", "Up", "Home", "Shift-Up", "Del", "F9"};
    struct typist typist;
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++)
        for (int64_t gap = 40; gap <= 300; gap += 20) {
            char wanted[32];
            snprintf(wanted, sizeof wanted, "%s%s x", gap < KEYS_ESCAPE_MS ? "" : "Esc ", keys[i]);
            begin(&typist);
            type(&typist, "\x1b");
            let_pass(&typist, gap);
            type(&typist, rests[i]);
            let_pass(&typist, gap);
            type(&typist, "x");
            assert_string_equal(came(&typist), wanted);
            begin(&typist);
            type(&typist, (char[]){'\x1b', rests[i][0], '\0'});
            let_pass(&typist, gap);
            type(&typist, rests[i] + 1);
            assert_string_equal(came(&typist), keys[i]);
        }
    begin(&typist); /* attn was busy, and finds all of it at once */
    type(&typist, "\x1b");
    typist.now_ms += 3000;
    type(&typist, "[A");
    assert_string_equal(came(&typist), "Up");
}

/* Esc, and then text that begins as an arrow does: by hand, no two keys come in one piece. */
static void test_keys__brackets_after_escape_are_typed(void **state)
{
    (void)state;
    static const char *const texts[] = {"[A", "OA", "[3~", "[1, 2]", "On"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int64_t gap = KEYS_TOGETHER_MS + 10; gap <= 200; gap += 20) {
            struct typist typist;
            char wanted[40] = "Esc";
            size_t size = strlen(wanted);
            begin(&typist);
            type(&typist, "\x1b");
            let_pass(&typist, 80);
            for (const char *c = texts[i]; *c != '\0'; c++) {
                char name[16];
                type(&typist, (char[]){*c, '\0'});
                let_pass(&typist, gap);
                size += (size_t)snprintf(wanted + size, sizeof wanted - size, " %s",
                                         key_text(*c, name));
            }
            assert_string_equal(came(&typist), wanted);
        }
}

static void test_keys__what_is_pasted_after_escape_is_typed(void **state)
{
    (void)state;
    struct typist typist;
    begin(&typist);
    type(&typist, "\x1b");
    let_pass(&typist, 80);
    type(&typist, "[1, A]"); /* in one piece, but no key */
    let_pass(&typist, KEYS_CUT_MS);
    assert_string_equal(came(&typist), "Esc [ 1 , Space A ]");
    type(&typist, "\x1b");
    let_pass(&typist, 80);
    type(&typist, "[Ab]"); /* after a key comes nothing, or another key */
    assert_string_equal(came(&typist), "Esc [ A b ]");
    type(&typist, "\x1b");
    let_pass(&typist, KEYS_CUT_MS + 1);
    type(&typist, "[A");
    assert_string_equal(came(&typist), "Esc [ A");
    type(&typist, "\x1b["); /* a bracket that came so soon is not lost either */
    let_pass(&typist, KEYS_CUT_MS);
    assert_string_equal(came(&typist), "Esc [");
}

static void test_keys__letters_where_only_ascii_is_read(void **state)
{
    (void)state;
    struct typist typist;
    begin(&typist);
    key_reader_init(&typist.reader, false, KEYS_ESCAPE_MS);
    type(&typist, "h\xC3\xA9llo");
    assert_string_equal(came(&typist), "h l l o");
}

/* Answers that are whole, cut anywhere, and slow; between keys. */
static void test_keys__answers_are_never_typed(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        int32_t background;
        bool has_sync, is_done;
    } rows[] = {
        {"\x1b]11;rgb:ffff/fefe/0000\x1b\\", 0xFFFE00, false, false},
        {"\x1b]11;rgb:1/8/f\x07", 0x1188FF, false, false},
        {"\x1b]11;rgba:00/80/ff/ff\x07", 0x0080FF, false, false},
        {"\x1b]11;nonsense\x07", -1, false, false},
        {"\x1b[?2026;2$y", -1, true, false},
        {"\x1b[?2026;0$y", -1, false, false},
        {"\x1b[?2027;1$y", -1, false, false},
        {"\x1b[?62;4c", -1, false, true},
        {"\x1b]11;rgb:00/00/00\x1b\\\x1b[?2026;1$y\x1b[?1;2c", 0, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t cut = 0; cut < strlen(rows[i].bytes); cut++)
            for (int64_t gap = 20; gap <= 420; gap += 100) {
                struct typist typist;
                char first[64];
                begin(&typist);
                typist.reader.answers.is_asked = true;
                snprintf(first, sizeof first, "%.*s", (int)cut, rows[i].bytes);
                type(&typist, first);
                let_pass(&typist, gap);
                type(&typist, rows[i].bytes + cut);
                type(&typist, "x");
                const char *keys = came(&typist);
                bool is_slow = cut > 0 && rows[i].bytes[cut - 1] == '\x1b' && gap > KEYS_ESCAPE_MS;
                if (strcmp(keys, "x") != 0 && !(is_slow && strcmp(keys, "Esc x") == 0))
                    fail_msg("row %zu, cut %zu, %d ms: %s", i, cut, (int)gap, keys);
                assert_int_equal(typist.reader.answers.background, rows[i].background);
                assert_int_equal(typist.reader.answers.has_sync, rows[i].has_sync);
                assert_int_equal(typist.reader.answers.is_done, rows[i].is_done);
            }
}

static void test_keys__a_paste_that_lost_its_end(void **state)
{
    (void)state;
    struct typist typist;
    begin(&typist);
    type(&typist, "\x1b[200~ab");
    let_pass(&typist, 1001);
    type(&typist, "c");
    assert_string_equal(came(&typist), "p:a p:b p:? c");
}

/* More than there is room for is taken in parts. */
static void test_keys__a_long_paste(void **state)
{
    (void)state;
    enum { LONG = 3 * KEYS_BYTES };
    struct typist typist;
    char text[LONG];
    size_t done = 0, n = 0;
    memset(text, 'a', sizeof text);
    begin(&typist);
    type(&typist, "\x1b[200~");
    while (done < sizeof text) {
        done += key_reader_take(&typist.reader, text + done, sizeof text - done, typist.now_ms);
        struct input input;
        while (key_reader_next(&typist.reader, typist.now_ms, &input))
            n += input.key == 'a' && input.is_pasted;
    }
    assert_int_equal(n, LONG);
}

#define TEST(name) cmocka_unit_test(test_keys__##name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_terminals_send),
        TEST(escape_waits),
        TEST(an_arrow_cut_in_two),
        TEST(brackets_after_escape_are_typed),
        TEST(what_is_pasted_after_escape_is_typed),
        TEST(letters_where_only_ascii_is_read),
        TEST(answers_are_never_typed),
        TEST(a_paste_that_lost_its_end),
        TEST(a_long_paste),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
