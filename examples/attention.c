/* Self-attention over the three words "Hello shiny sun", with libattn.
 *
 *     cc attention.c $(pkg-config --cflags --libs libattn) -o attention && ./attention */
#include <attn.h>
#include <stdio.h>

int main(void)
{
    const float words[] = {0.34f, 0.22f, 0.54f, 0.53f, 0.34f, 0.98f, 0.29f, 0.54f, 0.93f};
    struct attn_tensor x, context, weights;
    struct attn_error error;
    if (!attn_tensor_from(2, (size_t[]){3, 3}, words, &x, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    struct attn_attention_input input = {.query = &x, .key = &x, .value = &x};
    bool ok = attn_attention_forward(&input, NULL, &context, &weights, &error);
    attn_tensor_release(&x);
    if (!ok) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (size_t i = 0; i < 3; i++)
        printf("%.4f %.4f %.4f\n", (double)attn_tensor_at(&weights, (size_t[]){i, 0}),
               (double)attn_tensor_at(&weights, (size_t[]){i, 1}),
               (double)attn_tensor_at(&weights, (size_t[]){i, 2}));
    attn_tensor_release(&weights);
    attn_tensor_release(&context);
    return 0;
}
