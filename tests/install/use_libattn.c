/* A first program with libattn: one query that looks at the two keys it likes equally. */
#include <attn.h>

#ifdef OWN_NAMES
#include <stdlib.h>

/* The program's own function, of a name that one inside the library has. */
void attention_plan_init(void);
void attention_plan_init(void)
{
    abort();
}
#endif

int main(void)
{
    struct tensor x, context;
    if (!tensor_from(2, (size_t[]){2, 2}, (float[]){1, 3, 1, 3}, &x, NULL))
        return 1;
    struct attention_input input = {.query = &x, .key = &x, .value = &x};
    bool done = attention_forward(&input, NULL, &context, NULL, NULL);
    bool right = done && tensor_at(&context, (size_t[]){1, 1}) == 3;
    tensor_release(&x);
    if (done)
        tensor_release(&context);
    return right ? 0 : 1;
}
