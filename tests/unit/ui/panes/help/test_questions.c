/* What F1 answers to questions as beginners write them: one of the first three results must be what
 * they look for. Asked of all help there is, with the keys of the real panes. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "lang_testing.h"
#include "ui/app/app_internal.h"

enum { TOP = 3 };

/* `wants` names what must be found, one of those with | between them: an entry's name, of a key its
 * label, or #ID#STEP for a place of the course. */
static const struct {
    const char *asks, *wants;
} questions[] = {
    {"how do I multiply", "@|*"},
    {"multiply", "@|*"},
    {"what is temperature", "temperature"},
    {"what is a head", "head"},
    {"why divide by sqrt", "scaling"},
    {"own sentence", "own sentence|sentence"},
    {"save picture", "pictures"},
    {"picture", "pictures|heat"},
    {"copy numbers", "copying numbers"},
    {"svg", "pictures"},
    {"light theme", "theme|colours"},
    {"mask", "mask"},
    {"quit", "quit|quitting"},
    {"undo", "undo"},
    {"@", "@"},
    {"*", "*"},
    {"how to go back", "going back|back"},
    {"what does softmax do", "softmax"},
    {"transpose", "transpose|.T"},
    {"no colours", "colours"},
    {"my answer is wrong", "answering a question"},
    {"skip a question", "skip|skipping a question"},
    {"where is my file", "your files|workspace"},
    {"change a number", "changing a number|whatif"},
    {"dot product", "dot product|dot"},
    {"future words", "causal mask"},
    {"average of the values", "context vector|value"},
    {"why is it nan", "nan"},

    {"what is K.T", ".T|transpose"},
    {"what are logits?", "logits"},
    {"difference between key and query", "key|query"},
    {"what does the value vector mean", "value"},
    {"how can I see a hint", "hint|answering a question"},
    {"show the solution", "answering a question|hint"},
    {"start lesson again", "lesson"},
    {"next lesson", "lesson|next|lessons"},
    {"get one row of a matrix", "[i, j]|:"},
    {"first column", ":|[i, j]"},
    {"how do i get an element", "[i, j]"},
    {"to the power of 2", "**"},
    {"x squared", "**"},
    {"square root", "sqrt|scaling"},
    {"sum of a row", "sum"},
    {"biggest number", "max|argmax|maximum"},
    {"random numbers", "rand|randn|randint"},
    {"same random numbers again", "manual_seed"},
    {"causal attention", "causal mask"},
    {"hide the future", "causal mask"},
    {"padding tokens", "padding"},
    {"why -inf", "#masking#minus-infinity|mask|fully masked row"},
    {"what happens if softmax is saturated", "saturation"},
    {"kv cache", "KV cache"},
    {"grouped query attention", "GQA"},
    {"flash attention", "FlashAttention"},
    {"rotary embeddings", "RoPE"},
    {"positional encodings", "position"},
    {"number of heads", "n_heads|heads"},
    {"head dim", "head_dim"},
    {"layer norm", "layer normalization|layer_norm"},
    {"residual", "residual stream"},
    {"what is an encoder", "encoder"},
    {"backprop", "backpropagation|gradient"},
    {"derivative of softmax", "gradient|grad|#gradients#softmax"},
    {"broadcasting", "broadcast"},
    {"reshape a tensor", "reshape"},
    {"compare two numbers", "=="},
    {"combine two masks", "&"},
    {"name a result", "="},
    {"list my variables", "vars"},
    {"delete a variable", "del"},
    {"load a file", "load"},
    {"draw a heatmap", "heat|pictures"},
    {"explain a number", "why"},
    {"where does this number come from", "why"},
    {"grade my code", "check|your files"},
    {"exercises", "exercises|exercise"},
    {"progress", "progress"},
    {"repeat what i got wrong", "review"},
    {"keyboard shortcuts", "keyboard"},
    {"sofmax", "softmax"},
    {"mutliply", "@|*"},
    {"tempreature", "temperature"},
    {"cosine", "cosine similarity|cosine_similarity"},
    {"length of a vector", "norm"},
    {"dropout", "dropout"},
    {"attention sinks", "attention sink"},
    {"cross attention", "cross-attention"},
    {"vocabulary size", "vocabulary"},
};

static const struct pane_ops *panes[PANE_COUNT + 1];
static struct help help;

static bool is_wanted(const struct manual_entry *entry, const char *name, size_t size)
{
    char name_of[80];
    snprintf(name_of, sizeof name_of, "%.*s", (int)size, name);
    if (name[0] != '#')
        return strcmp(entry->name, name_of) == 0;
    return strstr(entry->gives, name_of + 1) != NULL;
}

static bool is_answer(const struct manual_entry *entry, const char *wants)
{
    for (; *wants != '\0'; wants += *wants == '|') {
        size_t size = strcspn(wants, "|");
        if (is_wanted(entry, wants, size))
            return true;
        wants += size;
    }
    return false;
}

static const struct manual_entry *ask(const char *question, size_t i)
{
    if (i == 0) {
        struct error error;
        assert_true(help_search(&help, &error));
        for (const char *at = question; *at != '\0'; at++)
            assert_true(help_key(&help, *at));
    }
    return i < help.found.n ? &help.manual.entries[help.found.items[i].entry] : NULL;
}

static void test_questions__have_their_answer_among_the_first_three(void **state)
{
    (void)state;
    size_t n_missed = 0;
    for (size_t i = 0; i < COUNT_OF(questions); i++) {
        bool found = false;
        for (size_t at = 0; at < TOP; at++) {
            const struct manual_entry *entry = ask(questions[i].asks, at);
            found = found || (entry != NULL && is_answer(entry, questions[i].wants));
        }
        if (found)
            continue;
        n_missed++;
        print_error("%s: no %s among", questions[i].asks, questions[i].wants);
        for (size_t at = 0; at < TOP; at++) {
            const struct manual_entry *entry = ask(questions[i].asks, at);
            if (entry != NULL)
                print_error(" [%s, %s: %.3f]", entry->title, entry->where,
                            help.found.items[at].score);
        }
        print_error("\n");
    }
    assert_int_equal(n_missed, 0);
}

static int setup(void **state)
{
    static const struct settings settings = {.digits = 4, .width_cols = 80};
    size_t n = 0;
    (void)state;
    panes[n++] = &app_everywhere;
    panes[n++] = &home_ops;
    panes[n++] = &lesson_pane_ops;
    panes[n++] = &explorer_ops;
    panes[n++] = &exercise_task_ops;
    panes[n++] = &prompt_ops;
    help_init(&help, &(struct help_sources){panes, n, &settings, testing_data_dir()});
    help_resize(&help, 40, 100);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    help_release(&help);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_questions__have_their_answer_among_the_first_three),
    };
    return cmocka_run_group_tests_name("questions", tests, setup, teardown);
}
