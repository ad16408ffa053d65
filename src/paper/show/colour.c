/* Luminance, and the 256 colours of terminals: see colour.h. */
#include "show/colour.h"

#include <math.h>

enum { CUBE = 16, CUBE_SIDE = 6, GREY = 232, N_GREYS = 24 };

static const int cube_levels[CUBE_SIDE] = {0, 95, 135, 175, 215, 255};

static int channel(uint32_t rgb, int i)
{
    return (int)(rgb >> (16 - 8 * i) & 0xFF);
}

static double linear(int level)
{
    double share = level / 255.0;
    return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

double colour_luminance(uint32_t rgb)
{
    return 0.2126 * linear(channel(rgb, 0)) + 0.7152 * linear(channel(rgb, 1)) +
           0.0722 * linear(channel(rgb, 2));
}

bool colour_wants_black(uint32_t rgb)
{
    /* Where the contrasts (Y + 0.05) / 0.05 with black and 1.05 / (Y + 0.05) with white meet. */
    return colour_luminance(rgb) > 0.179;
}

static uint32_t pack(int red, int green, int blue)
{
    return (uint32_t)red << 16 | (uint32_t)green << 8 | (uint32_t)blue;
}

uint32_t colour_of_256(int index)
{
    if (index >= GREY) {
        int level = 8 + 10 * (index - GREY);
        return pack(level, level, level);
    }
    int at = index - CUBE;
    return pack(cube_levels[at / (CUBE_SIDE * CUBE_SIDE)], cube_levels[at / CUBE_SIDE % CUBE_SIDE],
                cube_levels[at % CUBE_SIDE]);
}

static int distance(uint32_t a, uint32_t b)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int apart = channel(a, i) - channel(b, i);
        sum += apart * apart;
    }
    return sum;
}

int colour_nearest_256(uint32_t rgb)
{
    int nearest = CUBE;
    for (int index = CUBE; index < GREY + N_GREYS; index++)
        if (distance(colour_of_256(index), rgb) < distance(colour_of_256(nearest), rgb))
            nearest = index;
    return nearest;
}
