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

/* Of both signs: about as bright at both ends, dark in the middle; blue and orange are told apart
 * by all. */
static const unsigned char signed_stops[][3] = {
    {0x8C, 0xC8, 0xFF}, {0x3A, 0x8A, 0xE0}, {0x1F, 0x4E, 0x8C}, {0x22, 0x24, 0x2B},
    {0x84, 0x46, 0x10}, {0xD6, 0x7C, 0x1E}, {0xFF, 0xC2, 0x7A},
};

enum { HIGHEST = 255 };

/* The colour so far along the stops, 0 to HIGHEST. */
static uint32_t rgb_at(const unsigned char (*along)[3], int n_steps, int at)
{
    int far = (at < 0 ? 0 : at > HIGHEST ? HIGHEST : at) * n_steps;
    int stop = far / HIGHEST < n_steps ? far / HIGHEST : n_steps - 1;
    int after = far - stop * HIGHEST; /* how far from stop to stop + 1, of HIGHEST */
    uint32_t rgb = 0;
    for (int i = 0; i < 3; i++) {
        int mixed = along[stop][i] * (HIGHEST - after) + along[stop + 1][i] * after;
        rgb = rgb << 8 | (uint32_t)((mixed + HIGHEST / 2) / HIGHEST);
    }
    return rgb;
}

uint32_t palette_rgb(int tint)
{
    if (tint >= TINT_SIGNED)
        return rgb_at(signed_stops, COUNT_OF(signed_stops) - 1, tint - TINT_SIGNED);
    return rgb_at(stops, COUNT_OF(stops) - 1, tint);
}
