/* The palette that tints run along: see backend.h. */
#include "base/array.h"
#include "show/backend.h"

/* Colours at equal steps of the tint, chosen so that CIE lightness L* rises by about 10 from each
 * to the next, from 15 to 95, and keeps rising in between. */
static const unsigned char stops[][3] = {
    {0x29, 0x19, 0x5E}, {0x27, 0x34, 0x86}, {0x27, 0x54, 0x8E},
    {0x2C, 0x74, 0x88}, {0x2C, 0x95, 0x70}, {0x5A, 0xB0, 0x55},
    {0x94, 0xC7, 0x56}, {0xC9, 0xDE, 0x4E}, {0xFD, 0xF2, 0x91},
};

enum { N_STEPS = COUNT_OF(stops) - 1, HIGHEST = 255 };

uint32_t palette_rgb(int tint)
{
    int along = (tint < 0 ? 0 : tint > HIGHEST ? HIGHEST : tint) * N_STEPS;
    int stop = along / HIGHEST < N_STEPS ? along / HIGHEST : N_STEPS - 1;
    int after = along - stop * HIGHEST; /* how far from stop to stop + 1, of HIGHEST */
    uint32_t rgb = 0;
    for (int i = 0; i < 3; i++) {
        int mixed = stops[stop][i] * (HIGHEST - after) + stops[stop + 1][i] * after;
        rgb = rgb << 8 | (uint32_t)((mixed + HIGHEST / 2) / HIGHEST);
    }
    return rgb;
}
