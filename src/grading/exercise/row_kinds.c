/* The table of kinds of rows: see row_kinds.h. */
#include "exercise/row_kinds.h"

const struct row_kind row_kinds[N_ROW_KINDS] = {
    {"rows of equal numbers", "max(X, dim=-1, keepdim=True) == min(X, dim=-1, keepdim=True)",
     "X * 0 + 1.5", 2, false},
    {"rows that rise from number to number",
     "sum(X[..., 1:] > X[..., :N-1], dim=-1, keepdim=True) == N - 1", "X * 0 + arange(N) / 4", 3,
     false},
    {"rows that fall from number to number",
     "sum(X[..., 1:] < X[..., :N-1], dim=-1, keepdim=True) == N - 1", "X * 0 - arange(N) / 4", 3,
     false},
    {"rows of numbers below 0", "max(X, dim=-1, keepdim=True) < 0", "-abs(X) - 0.5", 1, false},
    {"rows of numbers above 0", "min(X, dim=-1, keepdim=True) > 0", "abs(X) + 0.5", 1, false},
    {"rows of zeros", "max(abs(X), dim=-1, keepdim=True) == 0", "X * 0", 1, false},
    {"rows of numbers below 0.001",
     "(max(abs(X), dim=-1, keepdim=True) < 0.001) & (max(abs(X), dim=-1, keepdim=True) > 0)",
     "X * 0.0001", 1, false},
    {"rows of numbers below 1e-12",
     "(max(abs(X), dim=-1, keepdim=True) < 1e-12) & (max(abs(X), dim=-1, keepdim=True) > 0)",
     "X * 1e-13", 1, false},
    {"rows of numbers below 1e-37",
     "(max(abs(X), dim=-1, keepdim=True) < 1e-37) & (max(abs(X), dim=-1, keepdim=True) > 0)",
     "X * 1e-20 * 1e-19", 1, false},
    {"rows with numbers above 100", "max(abs(X), dim=-1, keepdim=True) > 100",
     "where(abs(X) < 0.5, X + 0.5, X) * 1000", 1, true},
    {"rows with numbers above 1e6", "max(abs(X), dim=-1, keepdim=True) > 1e6", "X * 1e8", 1, true},
    {"rows with numbers above 1e18", "max(abs(X), dim=-1, keepdim=True) > 1e18", "X * 1e20", 1,
     true},
};

void row_kind_put(struct text *out, const char *expression, const char *name, size_t n)
{
    for (const char *at = expression; *at != '\0'; at++) {
        if (*at == 'X')
            text_put(out, name);
        else if (*at == 'N')
            text_format(out, "%zu", n);
        else
            text_char(out, *at);
    }
}
