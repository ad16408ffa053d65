/* attn verify DUMP: arrays that any program wrote, against the formula that they should follow. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/cli.h"
#include "files/asset.h"
#include "verify/verify.h"

enum { MAX_ROLES = 32 };

struct role_options {
    struct verify_role items[MAX_ROLES];
    size_t n;
};

struct number_option {
    double number;
    bool is_given;
};

struct options {
    struct common_options common;
    const char *print, *like;
    unsigned n_heads;
    bool is_causal;
    struct number_option scale;
    struct role_options roles;
};

static int verify_main(int argc, char **argv);

/* "query=arr_0"; the text before the = is cut off in place. */
static void take_role(const char *command, const struct option *option, const char *value,
                      void *field)
{
    struct role_options *roles = field;
    char *equals = strchr((char *)(uintptr_t)value, '=');
    if (equals == NULL || equals == value || equals[1] == '\0')
        usage_error("%s: %s %s: write ROLE=ARRAY, as in --as query=arr_0", command, option->name,
                    value);
    if (roles->n == MAX_ROLES)
        usage_error("%s: %s: at most %d roles", command, option->name, MAX_ROLES);
    *equals = '\0';
    roles->items[roles->n++] = (struct verify_role){value, equals + 1};
}

static void take_number(const char *command, const struct option *option, const char *value,
                        void *field)
{
    struct number_option *number = field;
    if (!text_decimal(value, &number->number))
        usage_error("%s: %s %s: a number is expected", command, option->name, value);
    number->is_given = true;
}

static const struct option rows[] = {
    OPTIONS_COMMON(struct options),
    {OPTION_NUMBER, "--heads", "N",
     "how many heads there are; otherwise n_heads in the file, or found by trying",
     OPTION_SETS(struct options, n_heads), .low = 1, .high = 4096},
    {OPTION_FLAG, "--causal", NULL,
     "each query may see itself and the keys before it; otherwise both are tried",
     OPTION_SETS(struct options, is_causal)},
    {OPTION_OWN, "--scale", "X", "what the scores are multiplied by, instead of 1 / sqrt(head_dim)",
     OPTION_SETS(struct options, scale), .take = take_number},
    {OPTION_PATH, "--like", "FORMULA",
     "attention, multihead, cache, rope, norm, rmsnorm, loss, sgd or adam; otherwise the one that "
     "fits",
     OPTION_SETS(struct options, like)},
    {OPTION_OWN, "--as", "ROLE=ARRAY",
     "what an array is, as in --as query=arr_0; may be given again",
     OPTION_SETS(struct options, roles), .take = take_role},
    {OPTION_PATH, "--print", "torch|numpy|jax|c",
     "prints the lines of a program that write such a file", OPTION_SETS(struct options, print)},
    {.kind = OPTION_WORD,
     .name = "DUMP",
     .value = NULL,
     .help = "an .npz, .safetensors or .npy file, or a folder of .npy files"},
    {.kind = OPTION_END},
};

const struct subcommand verify_command = {
    "verify",
    "DUMP",
    "says whether arrays follow their formula, and if not, which mistake gives them; exit code 0 "
    "right, 1 different, 3 could not be judged",
    verify_main,
    rows,
    .notes = "  attn verify --print torch\n"
             "  attn verify dump.npz --heads 8 --causal",
};

static int print_program(const char *kind)
{
    static const char *const kinds[][2] = {{"torch", "dump/torch.py"},
                                           {"numpy", "dump/numpy.py"},
                                           {"jax", "dump/jax.py"},
                                           {"c", "dump/c.c"}};
    struct asset asset;
    struct error error;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (strcmp(kinds[i][0], kind) != 0)
            continue;
        bool ok = asset_read(&asset, data_dir(), kinds[i][1], &error);
        if (ok)
            fputs(text_string(&asset.text), stdout);
        else
            fprintf(stderr, "attn: verify: %s\n", error.text);
        asset_release(&asset);
        return finish_output(true) && ok ? EXIT_OK : EXIT_UNGRADED;
    }
    usage_error("verify: --print %s: torch, numpy, jax or c is expected", kind);
}

static int verify_path(const char *path, const struct options *options)
{
    struct settings settings = terminal_settings(&options->common, 1);
    const struct verify_options look = {.width_cols = settings.width_cols,
                                        .digits = settings.digits,
                                        .stop = &interrupt_flag,
                                        .data_dir = data_dir()};
    const struct verify_dump given = {.name = path,
                                      .like = options->like,
                                      .n_heads = options->n_heads,
                                      .is_causal = options->is_causal,
                                      .has_scale = options->scale.is_given,
                                      .scale = options->scale.number,
                                      .roles = options->roles.items,
                                      .n_roles = options->roles.n};
    static const int codes[] = {
        [VERIFY_RIGHT] = EXIT_OK, [VERIFY_DIFFERS] = EXIT_FAILED, [VERIFY_UNKNOWN] = EXIT_UNGRADED};
    enum verify_verdict verdict = VERIFY_UNKNOWN;
    struct arrays arrays;
    struct doc doc;
    struct error error;
    doc_init(&doc);
    interrupt_catch();
    bool printed = true, ok = arrays_open(path, &arrays, &error);
    if (ok) {
        ok = verify_dump(&arrays, &given, &look, &doc, &verdict, &error);
        printed = !ok || print_doc(&doc, &settings);
        for (const char *at = text_string(&arrays.skipped); *at != '\0';
             at += strcspn(at, "\n") + 1)
            fprintf(stderr, "attn: %s: skipped: %.*s\n", path, (int)strcspn(at, "\n"), at);
        arrays_release(&arrays);
    }
    if (!ok && error.kind != ERR_INTERRUPTED)
        fprintf(stderr, "attn: verify: %s\n", error.text);
    doc_release(&doc);
    if (!finish_output(printed) || !ok)
        verdict = VERIFY_UNKNOWN;
    end_by_signal(interrupt_flag);
    return codes[verdict];
}

static int verify_main(int argc, char **argv)
{
    struct options options = {.n_heads = 0};
    size_t n = options_read(&verify_command, argc, argv, 1, &options);
    if (options.print != NULL)
        return print_program(options.print);
    if (n == 0)
        usage_error(
            "verify: give a file of arrays, as in attn verify dump.npz; attn verify --print "
            "torch shows how to write one");
    if (text_ends_with(argv[1], ".py") || text_ends_with(argv[1], ".ipynb")) {
        fprintf(stderr,
                "attn: %s: attn verify reads arrays, not programs; attn verify --print torch shows "
                "the lines that write what a program computed\n",
                argv[1]);
        return EXIT_UNGRADED;
    }
    return verify_path(argv[1], &options);
}
