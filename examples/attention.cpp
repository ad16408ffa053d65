// Self-attention over the three words "Hello shiny sun", with libattn from C++.
//
//     c++ attention.cpp $(pkg-config --cflags --libs libattn) -o attention && ./attention
#include <attn.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

// Owns one reference to a tensor's numbers.
class Tensor {
public:
    Tensor() = default;
    Tensor(const std::vector<std::size_t> &shape, const std::vector<float> &numbers)
    {
        attn_error error;
        if (!attn_tensor_from(static_cast<unsigned>(shape.size()), shape.data(), numbers.data(),
                              &tensor, &error))
            throw std::runtime_error(error.text);
    }
    Tensor(const Tensor &) = delete;
    Tensor &operator=(const Tensor &) = delete;
    ~Tensor() { attn_tensor_release(&tensor); }
    attn_tensor *get() { return &tensor; }
    float at(std::size_t row, std::size_t col) const
    {
        const std::size_t index[] = {row, col};
        return attn_tensor_at(&tensor, index);
    }

private:
    attn_tensor tensor = {};
};

int main()
{
    Tensor x({3, 3}, {0.34f, 0.22f, 0.54f, 0.53f, 0.34f, 0.98f, 0.29f, 0.54f, 0.93f});
    Tensor context, weights;
    attn_error error;
    attn_attention_input input = {};
    input.query = input.key = input.value = x.get();
    if (!attn_attention_forward(&input, nullptr, context.get(), weights.get(), &error)) {
        std::fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (std::size_t i = 0; i < 3; i++)
        std::printf("%.4f %.4f %.4f\n", static_cast<double>(weights.at(i, 0)),
                    static_cast<double>(weights.at(i, 1)), static_cast<double>(weights.at(i, 2)));
}
