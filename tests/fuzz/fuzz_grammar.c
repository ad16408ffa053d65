/* Fuzzes the reading of a grammar of stories, and the telling of some. */
#include <stdint.h>
#include <stdlib.h>

#include "task/story.h"
#include "tensor/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct grammar grammar;
    struct random random;
    struct error error;
    if (!grammar_read("fuzz.yaml", (const char *)data, size, &grammar, &error))
        return 0;
    random_seed(&random, 1);
    for (int split = 0; split < 2; split++) {
        struct story story, twins[2];
        unsigned question;
        if (story_draw(&grammar, (enum split)split, &random, &story, &error))
            for (unsigned i = 0; i < story.n_questions; i++)
                if (story.questions[i].query + 1 >= (int)story.n_tokens)
                    abort();
        (void)story_draw_twins(&grammar, (enum split)split, &random, twins, &question, &error);
    }
    grammar_release(&grammar);
    return 0;
}
