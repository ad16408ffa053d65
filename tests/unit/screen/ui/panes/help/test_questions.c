/* What F1 answers to questions as beginners write them: one of the first three results should be
 * what they look for. Asked of all help there is, with the keys of the real panes. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "lang_testing.h"
#include "ui/app/app_internal.h"

enum { TOP = 3 };
static const double mostly = 0.85; /* of a set of questions */

/* `wants` names what must be found, one of those with | between them: an entry's name, of a key its
 * label, or #ID#STEP for a place of the course. */
struct beginner_question {
    const char *asks, *wants;
};

/* All of these must find it. */
static const struct beginner_question questions[] = {
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
    {"start lesson again", "starting over|lesson"},
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
    {"same random numbers again", "random numbers|manual_seed"},
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
    {"list my variables", "listing and deleting names|vars"},
    {"delete a variable", "del"},
    {"load a file", "load"},
    {"draw a heatmap", "heat|pictures"},
    {"explain a number", "why"},
    {"where does this number come from", "where a number comes from|why"},
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

/* Written in a beginner's words before anybody looked at the index, half about terms and half about
 * things to do; of these most must find it. */
static const struct beginner_question beginners[] = {
    /* terms */
    {"what is attention actually", "attention|#why-attention"},
    {"what's a token", "token"},
    {"how are words turned into numbers", "embedding|embed|token|#tokens-and-embeddings"},
    {"why do we need softmax", "softmax"},
    {"what are the weights in attention", "weights"},
    {"what is a dot product", "dot product"},
    {"why does it divide by sqrt", "scaling"},
    {"what are Q K and V", "query|key|value|#queries-keys-values"},
    {"why do transformers have several heads", "multi-head attention|head|#multi-head"},
    {"how can the model not see the future", "causal mask"},
    {"what does the triangle of zeros mean", "causal mask|tril"},
    {"what is a mask for", "mask"},
    {"how does it know the order of the words", "position"},
    {"what is a residual connection", "residual stream"},
    {"what is layer norm for", "layer normalization"},
    {"what is a logit", "logits"},
    {"what does temperature do", "temperature"},
    {"what is a gradient", "gradient"},
    {"what is the loss", "loss"},
    {"difference between encoder and decoder", "encoder|decoder"},
    {"what does the kv cache do", "KV cache"},
    {"what is broadcasting", "broadcast"},
    {"what does T at the end of K.T mean", ".T|transpose"},
    {"what is an induction head", "induction head"},
    {"what is nan and why do i get it", "nan"},
    {"is attention the same as correlation", "attention|dot product|cosine similarity"},
    {"what's a vocabulary", "vocabulary"},
    {"what is a context vector", "context vector"},
    {"how long a text can it read", "context length"},
    {"what is a parameter of a model", "parameter"},
    /* things to do */
    {"start the lesson again from the beginning", "starting over"},
    {"how do I leave this program", "quitting|quit"},
    {"which questions did I get wrong", "my mistakes|review"},
    {"can I load my own model", "own model"},
    {"how do I write my own function", "own function"},
    {"make the picture bigger", "zoom"},
    {"the letters are too small to read", "zoom|screen size"},
    {"why is it so slow on my computer", "speed"},
    {"how do I save what I did", "saving|progress|save"},
    {"copy a number out of the screen", "copying numbers"},
    {"where are the exercises", "exercises in C|exercises|your files"},
    {"which editor does it use, I want vim", "editor"},
    {"show me the solution", "answering a question|getting a hint|hint"},
    {"I need a hint", "hint|getting a hint"},
    {"I don't like the colours", "colours|theme|palette"},
    {"does it work with the mouse", "mouse"},
    {"paste code from a notebook", "pasting code"},
    {"use GPT-2", "own model|#toy-to-gpt2"},
    {"train my own little transformer", "training a model|training|train"},
    {"go to lesson 5", "opening a lesson|lesson"},
    {"skip this question", "skipping a question|skip"},
    {"undo my last change", "undo|changing a number"},
    {"what can I type here", "the prompt|keyboard"},
    {"delete everything I defined", "listing and deleting names|del|reset"},
    {"see the attention of a real model on my sentence", "looking into a model|model"},
    {"print a matrix with more decimals", "decimals|set"},
    {"how do I go back one page", "going back|back"},
    {"how far am I in the course", "progress"},
    {"where does a number come from", "where a number comes from|why"},
    {"switch to the other half of the screen", "panes"},
};

/* The same, written once the entries stood. */
static const struct beginner_question later[] = {
    {"what exactly happens inside an attention head", "head"},
    {"are the weights learned or computed", "weights|parameter|attention"},
    {"what is the use of the value vectors", "value"},
    {"whats the deal with positional encodings", "position"},
    {"what does it mean to normalize", "softmax|layer normalization"},
    {"why minus infinity and not just zero", "mask|#masking#minus-infinity|causal mask"},
    {"how big is an embedding", "embedding|d_model"},
    {"what is a feed forward network", "MLP"},
    {"what's cross entropy", "loss|cross_entropy"},
    {"is BERT different from GPT", "encoder|decoder"},
    {"how many layers does a transformer have", "transformer block|transformer"},
    {"what does dim=-1 do", "axis"},
    {"what is overfitting", "overfitting|dropout"},
    {"how do chatbots pick the next word", "sampling|language model"},
    {"what is a matrix product", "@"},
    {"what is saturation in softmax", "saturation"},
    {"can I do lesson 3 one more time", "starting over|opening a lesson|lesson"},
    {"let me out", "quitting|quit"},
    {"I pressed something and now everything is gone", "panes|zoom|going back|lost in attn"},
    {"show me what I answered wrongly", "my mistakes|review"},
    {"the solution please", "getting a hint|answering a question|hint|solutions"},
    {"how to write two lines in one", "the prompt|;|pasting code"},
    {"turn the colors off", "colours"},
    {"scroll back to earlier output", "the prompt|finding something|^O"},
    {"does attn remember what I typed yesterday", "saving|progress"},
    {"open my C file in emacs", "editor"},
    {"put the result in Excel", "copying numbers"},
    {"look at llama with attn", "own model"},
    {"make training faster", "speed|training a model|train"},
    {"my terminal is only 60 columns wide", "screen size"},
    {"what's the meaning of d_k", "head_dim|scaling"},
    {"why is the mask added before the softmax and not after", "mask|#masking"},
    {"what are hidden states", "hidden state|residual stream|d_model|context vector"},
    {"does every head see the same words", "head|multi-head attention"},
    {"what does autoregressive mean", "decoder|language model"},
    {"what is GELU", "gelu"},
    {"how is text cut into pieces", "token|byte-level BPE|tokens"},
    {"what's an identity matrix", "identity matrix|eye"},
    {"why is attention quadratic", "cost of attention|sequence length|#cost"},
    {"what does a flat row of weights tell me", "entropy|temperature|weights"},
    {"where do I see how many points I have", "progress"},
    {"I want to try the lesson from page one again", "starting over"},
    {"close everything and go home", "quitting|lost in attn|home"},
    {"look at the attention of my own text", "own sentence|looking into a model"},
    {"how do I use numpy arrays from a file", "own numbers|load|copying numbers"},
    {"is there a list of all functions", "keyboard|the prompt|help"},
    {"give the picture more room", "zoom"},
    {"copy the whole table", "copying numbers"},
    {"why does my answer not count", "answering a question"},
    {"stop a computation that takes too long", "speed|quitting"},
    {"what's the difference between a weight and a parameter", "weights|parameter"},
    {"why can't I just average all the words", "attention|context vector|weights"},
    {"what is teacher forcing", "teacher forcing|training|decoder|language model"},
    {"do the heads share their keys", "GQA|MQA|head"},
    {"what does it mean that attention is permutation equivariant", "permutation-equivariant"},
    {"what is a checkpoint", "checkpoint|training a model|saving|training"},
    {"how does a model know when to stop writing", "end of text|language model|sampling|decoder"},
    {"softmax of a row with only -inf", "fully masked row|nan"},
    {"how do I transpose a tensor", "transpose|.T"},
    {"what is the scale of the scores", "scaling|scores"},
    {"forgot how to enter a formula", "the prompt"},
    {"start from zero again", "starting over"},
    {"repeat the questions I failed", "my mistakes|review"},
    {"I can't find the exercise folder", "your files|workspace|exercises in C"},
    {"run my python script", "pasting code"},
    {"how do I see more digits", "decimals"},
    {"make it use both processor cores", "speed"},
    {"save the heatmap as an image", "pictures"},
    {"go to the prompt", "the prompt"},
    {"how do I leave a lesson", "quitting|going back"},
    {"what are attention scores", "scores"},
    {"what is a linear layer", "projection"},
    {"what's the difference between softmax and argmax", "softmax|argmax"},
    {"where in the transformer is attention", "transformer block|transformer|#transformer-block"},
    {"what is the purpose of the output projection", "output projection"},
    {"can a word attend to itself", "self-attention|attention|identity matrix"},
    {"why do we multiply by the values", "value|context vector"},
    {"what is a learned position", "position|#positions"},
    {"what is beam search", "sampling|language model"},
    {"how are gradients computed", "backpropagation|gradient|grad"},
    {"I closed attn by accident, is everything lost", "saving|progress"},
    {"what do the colors mean", "colours|pictures"},
    {"undo", "undo|changing a number"},
    {"jump back to the list of lessons", "opening a lesson|going back|lost in attn|lessons"},
    {"how do I write a comment", "the prompt|own function"},
    {"which shortcut shows all commands", "keyboard"},
    {"my picture is too small", "zoom|screen size"},
    {"I want to see a small model learn something", "the film|training a model|training"},
    {"how do I hand in my exercise", "exercises in C|answering a question|check|your files"},
    {"use my own dataset", "own numbers|training a model"},
};

/* The newest questions, written before the index was looked at. */
static const struct beginner_question newest[] = {
    {"how does the computer turn a word into numbers", "embedding|token"},
    {"what are those three letters Q K V good for", "query|key|value|projection"},
    {"why does every row sum to 1", "softmax|weights"},
    {"can a word look at itself", "self-attention"},
    {"why can't it peek at the next word", "causal mask"},
    {"what does dot product tell me about two words", "dot product"},
    {"I typed something wrong, how do I undo it", "undo|changing a number"},
    {"how do I clear everything and begin with an empty session",
     "reset|listing and deleting names"},
    {"where do I see how far I've come in the course", "progress"},
    {"which lesson should I do next", "the course|next|opening a lesson|Where to begin"},
    {"how do I jump to lesson 7", "opening a lesson"},
    {"the hint is not enough, show the solution",
     "getting a hint|hint|answering a question|solutions"},
    {"how can I leave out this question", "skipping a question|skip"},
    {"how do I go back one page", "going back|back"},
    {"how do I get bigger letters or make this pane full screen", "zoom|screen size"},
    {"the colors are hard to see", "colours|theme"},
    {"I am color blind", "colours|palette|theme"},
    {"how do I switch off the mouse", "mouse"},
    {"can I copy the numbers into Excel", "copying numbers"},
    {"how do I put a picture of this into my slides", "pictures"},
    {"what is a tensor", "tensor"},
    {"how do I see the size of a matrix", "shape"},
    {"how do I pick one row out of a matrix", "[i, j]|:"},
    {"how do I take the last column", "[i, j]|:"},
    {"how can I make a matrix full of random numbers", "random numbers|randn|rand"},
    {"why do I get the same random numbers every time", "random numbers|manual_seed"},
    {"how do I add up all the numbers in a row", "sum"},
    {"which entry is the biggest", "argmax|max"},
    {"what does the word logits mean", "logits"},
    {"what is a neural network layer", "MLP|linear|projection|transformer block"},
    {"what is overfitting", "overfitting"},
    {"how does a model learn", "training|loss|gradient"},
    {"what is the learning rate", "learning rate"},
    {"what is loss", "loss"},
    {"what does backpropagation do", "backpropagation"},
    {"what makes softmax so peaky with big numbers", "scaling|saturation|temperature"},
    {"how can I make the answers less random", "temperature|sampling"},
    {"what are top-k and top-p", "sampling"},
    {"how do I let the model write the rest of my sentence", "generate|sampling"},
    {"how do I see what one attention head looks at", "looking into a model|heads"},
    {"switch off a head and see what changes", "ablate|ablation"},
    {"what does the word token mean exactly", "token"},
    {"why are words split into pieces", "byte-level BPE|token"},
    {"what's a vocabulary", "vocabulary"},
    {"how does the model know which word comes first", "position"},
    {"what is rope", "RoPE"},
    {"what is a layer norm for", "layer normalization|layer_norm"},
    {"what does the residual stream mean", "residual stream"},
    {"what is the feed forward part", "MLP"},
    {"difference between encoder and decoder", "encoder|decoder"},
    {"what's an attention sink", "attention sink"},
    {"what is the kv cache", "KV cache"},
    {"how do I find out where a number comes from", "where a number comes from|why"},
    {"what would happen if this number were bigger", "whatif|changing a number"},
    {"how do I write my solution in C", "exercises in C"},
    {"my program takes too long and gets killed",
     "error messages|exercises in C|speed|#performance"},
    {"how do I hand in my homework", "grading a class|exercises in C"},
    {"how do I run my python file", "pasting code|run|run FILE.py"},
    {"how do I save what I typed to a file", "saving|save"},
    {"what keys can I press here", "keyboard|help"},
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

static bool is_answered(const struct beginner_question *question)
{
    bool found = false;
    for (size_t at = 0; at < TOP; at++) {
        const struct manual_entry *entry = ask(question->asks, at);
        found = found || (entry != NULL && is_answer(entry, question->wants));
    }
    return found;
}

static void name_the_miss(const struct beginner_question *question)
{
    print_error("%s: no %s among", question->asks, question->wants);
    for (size_t at = 0; at < TOP; at++) {
        const struct manual_entry *entry = ask(question->asks, at);
        if (entry != NULL)
            print_error(" [%s, %s: %.3f]", entry->title, entry->where, help.found.items[at].score);
    }
    print_error("\n");
}

/* At least this share of n questions is answered. All that miss are named. */
static void assert_answered(const struct beginner_question *asked, size_t n, double least)
{
    size_t n_answered = 0;
    for (size_t i = 0; i < n; i++) {
        bool found = is_answered(&asked[i]);
        n_answered += found;
        if (!found)
            name_the_miss(&asked[i]);
    }
    print_message("%zu of %zu are answered\n", n_answered, n);
    assert_true((double)n_answered >= least * (double)n);
}

static void test_questions__have_their_answer_among_the_first_three(void **state)
{
    (void)state;
    assert_answered(questions, COUNT_OF(questions), 1);
}

static void test_questions__of_beginners_are_mostly_answered(void **state)
{
    (void)state;
    assert_answered(beginners, COUNT_OF(beginners), mostly);
    assert_answered(later, COUNT_OF(later), mostly);
    assert_answered(newest, COUNT_OF(newest), mostly);
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
        cmocka_unit_test(test_questions__of_beginners_are_mostly_answered),
    };
    return cmocka_run_group_tests_name("questions", tests, setup, teardown);
}
