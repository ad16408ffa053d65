/* The table of command words: see command.h. */
#include "commands/command.h"

#include "base/array.h"
#include "base/text.h"
#include "commands/command_internal.h"

#define RUN "m = transformer(vocab=[\"the\", \"cat\", \"sat\"])\nr = m(\"the cat sat\")\n"
#define INSPECTS (COMMAND_TAKES_NAMED | COMMAND_BEFORE_NAME)
#define MINE                                                \
    "import torch\ndef mine(x): return x @ x.T  # (b, b)\n" \
    "x = torch.ones(2, 3)\n"
#define HELLO "X = embed(\"Hello shiny sun!\")\n"

static const struct command commands[] = {
    {"help", TAKES_WORDS, COMMAND_NO_RULE, "help, or help NAME",
     "Explains a function or a command.", "help softmax", command_help},
    {"show", TAKES_EXPRESSIONS, COMMAND_NO_RULE, "show X, Y, ...",
     "Shows tensors whole, with their labels; wide ones in blocks.", HELLO "show X @ X.T",
     command_show},
    {"heat", TAKES_EXPRESSIONS, COMMAND_TAKES_NAMED, "heat X, Y, ..., scale=\"row\"",
     "Draws heatmaps, side by side where they fit. What a mask hides has no colour. The legend "
     "says "
     "what the colours stand for: scale=\"row\" gives each row its own scale, as one matrix of "
     "weights has by itself; \"matrix\" each matrix; \"shared\" one to all matrices, as several "
     "have by themselves; \"unit\" is 0 to 1.",
     HELLO "W = softmax(X @ X.T)\nheat W, softmax(X @ X.T + causal_mask(3))\nheat W, "
           "scale=\"unit\"",
     command_heat},
    {"bars", TAKES_EXPRESSIONS, COMMAND_NO_RULE, "bars X, Y, ...", "Draws a bar for each number.",
     HELLO "bars softmax(X @ X.T)[\"shiny\"]", command_bars},
    {"plot", TAKES_EXPRESSIONS, COMMAND_NO_RULE, "plot Y, or plot X, Y, ...",
     "Draws a line chart: Y over its positions, or up to four vectors over X. The rows of a matrix "
     "are curves.",
     "x = linspace(-3, 3, 25)\nplot x, sigmoid(x), tanh(x)", command_plot},
    {"why", TAKES_EXPRESSIONS, COMMAND_NO_RULE, "why X[i, j]",
     "Shows the arithmetic behind one number, down to the inputs.",
     HELLO "scores = X @ X.T\nwhy scores[\"shiny\", \"sun\"]", command_why},
    {"predict", TAKES_EXPRESSIONS, COMMAND_NO_RULE, "predict r",
     "Shows which tokens a model holds for likely at the end of a text, with their probabilities.",
     "m = transformer(vocab=[\"the\", \"cat\", \"sat\"])\nr = m(\"the cat\")\npredict r",
     command_predict},
    {"train", TAKES_EXPRESSIONS, COMMAND_TAKES_NAMED, "train m, task(NAME), steps=N, lr=X",
     "Trains a model by AdamW, as the task's own recipe has it where nothing else is said.",
     "m = transformer(vocab=32, n_heads=1, n_layers=1, mlp=False)\ntrain m, task(\"previous\"), "
     "steps=20",
     command_train},
    {"ablate", TAKES_EXPRESSIONS, INSPECTS, "ablate r, head=(5, 1), or ablate r, sorted=True",
     "Cuts a head (or layer=, mlp=) and shows what the model then says. how=\"zero\", \"mean\" or, "
     "with to= another run, \"frozen\". sorted=True cuts each head in turn and ranks them by what "
     "that does to a token, token=\" cat\", or to the loss, by=\"loss\".",
     RUN "ablate r, head=(1, 0)\nablate r, sorted=True", command_ablate},
    {"heads", TAKES_EXPRESSIONS, INSPECTS, "heads r, or heads m, by=\"induction\"",
     "Ranks all heads of a run by how far they attend as patterns that have names; help "
     "head_scores says how. Of a model alone it is a run of random tokens, twice. A head may look "
     "there and not matter: see ablate.",
     RUN "heads r\nheads r, by=\"first\", measure=\"mul\"", command_heads},
    {"lens", TAKES_EXPRESSIONS, INSPECTS, "lens r, or lens r, position=3",
     "The logit lens: what the model would say if it stopped after each of its layers.",
     RUN "lens r", command_lens},
    {"contributions", TAKES_EXPRESSIONS, INSPECTS, "contributions r, or contributions r, \" cat\"",
     "Shows what each head and MLP adds to the logit of a token, the largest parts first.",
     RUN "contributions r, \"cat\"", command_contributions},
    {"compare", TAKES_EXPRESSIONS, COMMAND_BEFORE_NAME, "compare r1, r2, or compare m, A, B",
     "Two texts side by side: the tokens that belong together, the heads by how differently they "
     "attend, and the change of the first of them.",
     RUN "compare r, m(\"the sat sat\")", command_compare},
    {"patch", TAKES_EXPRESSIONS, INSPECTS, "patch r1, r2, or patch r1, r2, by=\"position\"",
     "Puts each head of the first run in turn into the second, and shows how much of the first "
     "one's answer comes back; by=\"position\" the residual stream of each layer and token.",
     RUN "patch r, m(\"the sat the\"), token=\"cat\", against=\"sat\"", command_patch},
    {"whatif", TAKES_CHANGE, COMMAND_NO_RULE, "whatif X[i, j] = number",
     "Shows what would change downstream; keep makes it so, undo forgets it. Several numbers at "
     "once: whatif X[0] = [1, 2, 3]. A token of a run may be given by its text: whatif r.ids[3] = "
     "\" dog\".",
     HELLO "scores = X @ X.T\nwhatif X[\"sun\", 0] = 0.9", command_whatif},
    {"keep", TAKES_NOTHING, COMMAND_NO_RULE, "keep", "Makes the last whatif so.",
     HELLO "S = X @ X.T\nwhatif X[0, 0] = 1\nkeep\nS", command_keep},
    {"undo", TAKES_NOTHING, COMMAND_NO_RULE, "undo",
     "Forgets the last whatif, or takes back the last keep.",
     HELLO "S = X @ X.T\nwhatif X[0, 0] = 1\nkeep\nundo\nS", command_undo},
    {"trace", TAKES_EXPRESSIONS, COMMAND_NO_RULE, "trace X",
     "Shows the stages from the inputs to a tensor.",
     HELLO "context = attention(X, X, X)\ntrace context", command_trace},
    {"shapes", TAKES_WORDS, COMMAND_BEFORE_NAME | COMMAND_NOT_IN_LOOP, "shapes mine(x)",
     "Runs a call of your own Python and shows, for each of its statements, the name, the shape "
     "and "
     "the names of the axes, and where a comment such as # (b, t, d) says something else.",
     MINE "shapes mine(x)", command_shapes},
    {"step", TAKES_WORDS, COMMAND_BEFORE_NAME | COMMAND_NOT_IN_LOOP, "step mine(x)",
     "Goes through a call of your own Python statement by statement: each result with its shape, "
     "the names of its axes, and a small picture or its first numbers.",
     MINE "step mine(x)", command_step},
    {"for", TAKES_LOOP, COMMAND_NO_RULE, "for NAME in EXPRESSION: STATEMENT; STATEMENT; ...",
     "Repeats statements: NAME is each number of range(n), each item of a list or each row of a "
     "tensor in turn. A list is built with [x * x for x in range(3)].",
     "x = 1; for i in range(3): x = x * 2; x", command_for},
    {"verify", TAKES_CHECK, COMMAND_NO_RULE,
     "verify weights W, or verify attention Q, K, V, context, or verify multihead X, W_q, W_k, "
     "W_v, n_heads, W_o",
     "Checks attention, one line a check, and names the usual mistake behind a failure. weights "
     "also takes is_causal= and attn_mask=; attention these and scale=; multihead is_causal= and "
     "context=.",
     HELLO "W = softmax(X @ X.T, dim=0)\nverify weights W", command_verify},
    {"vars", TAKES_NOTHING, COMMAND_NO_RULE, "vars", "Lists the names of this session.",
     "a = 1; b = [1, 2]\nvars", command_vars},
    {"del", TAKES_EXPRESSIONS, COMMAND_NO_RULE, "del NAME, NAME, ...", "Forgets names.",
     "a = 1; b = 2\ndel a", command_del},
    {"reset", TAKES_NOTHING, COMMAND_NOT_IN_LOOP, "reset",
     "Forgets all names and restarts the random numbers.", "a = 1\nreset\nvars", command_reset},
    {"save", TAKES_WORDS, COMMAND_NOT_IN_LOOP | COMMAND_NOT_CALLED, "save FILE.attn",
     "Writes the lines that made this session; save(\"x.npy\", X) writes a tensor.",
     "a = 1\nsave work.attn", command_save},
    {"load", TAKES_WORDS, COMMAND_NOT_IN_LOOP | COMMAND_NOT_CALLED, "load FILE.attn",
     "Runs the lines of a file; load(\"x.npy\") reads a tensor.",
     "a = 1\nsave work.attn\nreset\nload work.attn\na", command_load},
    {"set", TAKES_WORDS, COMMAND_NOT_CALLED, "set, or set NAME VALUE",
     "Settings: digits 1 to 9, width 20 to 1000, color never or 16 or 256 or true, ascii and echo "
     "on or off, threads 1 to 1024 or all: how many large work is shared out to",
     "set digits 2\npi", command_set},
    {"quit", TAKES_NOTHING, COMMAND_NOT_IN_LOOP, "quit", "Leaves attn.", "quit", command_quit},
};

const struct command *command_find(const char *name, size_t size)
{
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (text_equals(name, size, commands[i].name))
            return &commands[i];
    return text_equals(name, size, "exit") ? command_find("quit", 4) : NULL;
}

const struct command *command_table(size_t *ret_count)
{
    *ret_count = COUNT_OF(commands);
    return commands;
}
