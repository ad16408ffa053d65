/* See view_options.h. */
#include "cli/view_options.h"

#include <string.h>

#include "base/array.h"
#include "files/path.h"

const char view_help[] =
    "  FOLDER               a model as Hugging Face writes it: config.json, model.safetensors,\n"
    "                       vocab.json and merges.txt or tokenizer.json; without it, the model\n"
    "                       that comes with attn\n"
    "  TEXT                 in one pair of quotes, with a blank in it where no FOLDER stands "
    "before\n"
    "                       it; or FILE.npy, the ids of its tokens\n"
    "  --ids 'ID ID ...'    the tokens by their ids, for a folder without a vocabulary\n"
    "  --layer L            all heads of a layer, counted from 0\n"
    "  --layer L --head H   one head, its sink and the next word\n"
    "  --by-length          with them: each weight times the length of its key's value\n"
    "  --without-sink       with them: the key that gets most is hidden, the rest rescaled\n"
    "  --compare TEXT       a second text, or its ids: what each head does differently in it, and\n"
    "                       the next word; with --layer and --head that head in both, and the\n"
    "                       difference\n"
    "  --plain              as lines, also at a terminal\n"
    "  --svg FILE           as a picture\n"
    "  --png FILE           the same as PNG, where rsvg-convert is installed\n"
    "  --json               tokens, weights and the next word as numbers\n"
    "  --words              the words that the model knows, by kind, where its tokens are words\n"
    "  --width COLUMNS      how wide lines may get (else the terminal's width)\n"
    "  --verify CASES       how far attn is from stages that another program stored, by layer: a\n"
    "                       folder of cases with input_ids.npy, attn_probs_layer0.npy, ...,\n"
    "                       logits.npy; exit code 0 within 1e-5 of the largest number, else 1\n"
    "At a terminal the heads are on the screen: Enter opens one, t types another text, n draws "
    "the\n"
    "next word, 0 and m cut a head, b ranks them, c compares with a second text; ? lists all "
    "keys.\n"
    "  attn view gpt2 'The cat sat on the mat because it was tired' --layer 5 --head 1\n";

enum { MAX_NUMBER = 100000 };

static bool take_flag(const char *arg, struct view_options *options)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--plain", &options->plain},
                 {"--json", &options->json},
                 {"--words", &options->words},
                 {"--by-length", &options->by_length},
                 {"--without-sink", &options->hides_sink}};
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        if (strcmp(arg, flags[i].name) == 0)
            return *flags[i].flag = true;
    return false;
}

static bool take_value(int argc, char **argv, int *at, struct view_options *options)
{
    const struct {
        const char *name, **text;
        size_t *number;
        bool *has;
    } values[] = {{"--ids", &options->ids, NULL, NULL},
                  {"--svg", &options->svg, NULL, NULL},
                  {"--png", &options->png, NULL, NULL},
                  {"--compare", &options->compare, NULL, NULL},
                  {"--verify", &options->cases, NULL, NULL},
                  {"--layer", NULL, &options->layer, &options->has_layer},
                  {"--head", NULL, &options->head, &options->has_head},
                  {"--width", NULL, &options->width_cols, NULL}};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        const char *value = option_value(argc, argv, at, values[i].name);
        if (value == NULL)
            continue;
        if (values[i].text != NULL)
            *values[i].text = value;
        else
            *values[i].number = option_number("view", values[i].name, value, 0, MAX_NUMBER);
        if (values[i].has != NULL)
            *values[i].has = true;
        return true;
    }
    return false;
}

/* The first of two words is a folder; one alone is one where there is such a folder, or where it
 * is no text: a path, or a model to verify. */
static void sort_words(const char *const words[2], size_t n, struct view_options *options)
{
    bool is_word = n == 1 && words[0][0] != '\0' && strchr(words[0], ' ') == NULL;
    bool is_folder = n == 2 || options->cases != NULL || options->ids != NULL || is_word ||
                     (n == 1 && path_is_folder(words[0]));
    if (n > 0 && is_folder)
        options->folder = words[0];
    if (n > 0 && (n == 2 || !is_folder))
        options->text = words[n - 1];
}

struct view_options view_options_read(int argc, char **argv)
{
    struct view_options options = {.plain = false};
    const char *words[2];
    size_t n = 0;
    for (int i = 1; i < argc; i++) {
        if (common_option(argc, argv, &i, &options.common) ||
            take_value(argc, argv, &i, &options) || take_flag(argv[i], &options))
            continue;
        if (argv[i][0] == '-' && strchr(argv[i], ' ') == NULL)
            unknown_option("view", view_help, argv[i]);
        if (n == 2)
            usage_error("view: %s: one folder and one text in quotes may stand here", argv[i]);
        words[n++] = argv[i];
    }
    sort_words(words, n, &options);
    if (options.has_head && !options.has_layer)
        usage_error("view: --head %zu: of which layer? add --layer L", options.head);
    if ((options.by_length || options.hides_sink) && !options.has_head)
        usage_error("view: --by-length and --without-sink show one head: add --layer L --head H");
    if ((options.json ? 1 : 0) + (options.svg != NULL) + (options.png != NULL) > 1)
        usage_error("view: --json, --svg and --png: one of them");
    if (options.compare != NULL && options.cases != NULL)
        usage_error("view: --compare and --verify: one of both");
    if (options.compare != NULL && options.json && (options.by_length || options.hides_sink))
        usage_error("view: --compare with --json compares the weights as they are, without "
                    "--by-length and --without-sink");
    if (options.text != NULL && options.ids != NULL)
        usage_error("view: a text and --ids: one of both");
    return options;
}
