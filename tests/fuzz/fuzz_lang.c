/* Fuzzes the language: any bytes, run as a script in a session that may not touch files. Each line
 * either works, and what it shows can be put on every back end, or is refused with a message and a
 * place in the line, and the session is as it was before. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "graph/node.h"
#include "commands/command.h"
#include "commands/completion.h"
#include "lang/syntax/lexer.h"
#include "lang/session/session.h"
#include "show/backend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_SECONDS = 1 }; /* of computing; then the input is interrupted as Ctrl-C would */

/* Set by a signal handler, so it belongs to the program. */
static volatile sig_atomic_t stop;

static void on_timer(int signal_number)
{
    (void)signal_number;
    stop = 1;
}

static void check(bool fine)
{
    if (!fine)
        abort();
}

static void start_timer(void)
{
    struct sigaction action = {.sa_handler = on_timer};
    struct itimerval timer = {.it_value.tv_sec = INPUT_SECONDS};
    stop = 0;
    sigaction(SIGVTALRM, &action, NULL); /* libFuzzer itself uses SIGALRM */
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static uint64_t mix_value(uint64_t hash, const struct value *value)
{
    hash = mix(hash, &value->kind, sizeof value->kind);
    if (value->kind == VALUE_NODE) {
        const char *name = value->as.node->name ? value->as.node->name : "";
        hash = mix(hash, name, strlen(name));
    }
    bool holds = value->kind != VALUE_ABSENT && value->kind != VALUE_NONE;
    return holds ? mix(hash, &value->as, sizeof value->as) : hash;
}

static uint64_t mix_change(uint64_t hash, const struct change *change)
{
    for (size_t i = 0; i < change->n; i++) {
        hash = mix(hash, change->items[i].name, strlen(change->items[i].name));
        hash = mix_value(hash, &change->items[i].value);
    }
    return mix(hash, &change->n, sizeof change->n);
}

/* A number that tells two states of a session apart, as far as a line may change them. */
static uint64_t state_of(const struct session *session)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < session->names.n_variables; i++) {
        const struct variable *variable = &session->names.variables[i];
        if (variable->value.kind == VALUE_ABSENT)
            continue;
        hash = mix(hash, variable->name, variable->size);
        hash = mix_value(hash, &variable->value);
    }
    hash = mix_change(hash, &session->whatif.pending);
    for (size_t i = 0; i < session->whatif.n_undo; i++)
        hash = mix_change(hash, &session->whatif.undo[i]);
    const struct settings *settings = &session->settings;
    hash = mix(hash, &settings->digits, sizeof settings->digits);
    hash = mix(hash, &settings->width_cols, sizeof settings->width_cols);
    hash = mix(hash, &settings->ascii, sizeof settings->ascii);
    hash = mix(hash, &settings->colours, sizeof settings->colours);
    hash = mix(hash, &settings->echo, sizeof settings->echo);
    hash = mix(hash, &session->wants_quit, sizeof session->wants_quit);
    hash = mix(hash, &session->script.size, sizeof session->script.size);
    hash = mix(hash, session->random.state, sizeof session->random.state[0]); /* the seed's trace */
    hash = mix(hash, &session->random.next, sizeof session->random.next);
    return mix(hash, &session->random.has_spare, sizeof session->random.has_spare);
}

static void draw(const struct doc *doc)
{
    struct text text = {0};
    doc_to_plain(doc, &text);
    check(!text.failed);
    text_clear(&text);
    doc_to_ansi(doc, COLOURS_256, &text);
    text_clear(&text);
    doc_to_svg(doc, NULL, &text);
    text_release(&text);
}

/* Runs one line; the session must be as before when it fails. */
static void run_line(struct session *session, const char *line, size_t size, struct doc *out)
{
    struct error error = {.kind = ERR_NONE};
    uint64_t before = state_of(session);
    if (session_run(session, line, size, out, &error)) {
        draw(out);
        doc_clear(out);
        return;
    }
    check(error.kind != ERR_NONE && error.text[0] != '\0');
    check(error.begin <= error.end && error.begin <= size && error.end <= size + 1);
    check(out->n_lines == 0 && out->n_spans == 0 && !out->failed);
    check(state_of(session) == before);
}

/* Completes the word at the end of the line. */
static void complete_line(const struct session *session, const char *line, size_t size)
{
    size_t state = 0, start = 0;
    const char *text;
    while (completion_next(session, line, size, &state, &start, &text))
        check(start <= size && strncmp(text, line + start, size - start) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct settings settings = {.digits = 4, .width_cols = 80, .echo = true, .no_files = true};
    struct session session;
    struct doc out;
    const char *source = (const char *)data;
    doc_init(&out);
    session_init(&session, command_find, &settings, ATTN_FUZZ_DATA_DIR, &stop);
    start_timer();
    for (size_t at = 0; at < size && !session.wants_quit && !stop;) {
        bool open;
        size_t length = lexer_line(source + at, size - at, &open);
        complete_line(&session, source + at, length);
        run_line(&session, source + at, length, &out);
        at += length;
    }
    doc_release(&out);
    session_release(&session);
    return 0;
}
