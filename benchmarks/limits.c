/* What hold'em has to compute, without the walk around it: eight plays side by side in lanes of T, float or double. */
#include <stdint.h>
#include <string.h>

typedef T lanes __attribute__((vector_size(8 * sizeof(T))));

/* Eight folds: of each hand, all that the other may hold, by inclusion and exclusion of its two cards. */
void folds(int64_t times, int64_t own, int64_t other, const uint16_t *own_cards, const uint16_t *other_cards,
           const uint16_t *same, const lanes *reach, const lanes *paid, lanes *pays)
{
    lanes sums[64];
    while (times--) {
        memset(sums, 0, sizeof sums);
        lanes total = {0};
        for (int64_t j = 0; j < other; j++) {
            total += reach[j];
            sums[other_cards[2 * j]] += reach[j];
            sums[other_cards[2 * j + 1]] += reach[j];
        }
        for (int64_t i = 0; i < own; i++)
            pays[i] = (total - sums[own_cards[2 * i]] - sums[own_cards[2 * i + 1]] + reach[same[i]]) * paid[0];
        __asm__ volatile("" ::: "memory");
    }
}

/* Eight showdowns: the running sums of all hands and of each card, and nine of them looked up for each own hand. */
void showdowns(int64_t times, int64_t own, int64_t other, const uint32_t *added, const uint32_t *asked,
               const uint16_t *same, const lanes *reach, const lanes *paid, lanes *pays, lanes *totals, lanes *sums)
{
    while (times--) {
        lanes total = {0};
        for (int64_t j = 0; j < other; j++) {
            totals[j + 1] = total += reach[j];
            for (int c = 0; c < 2; c++)
                sums[added[2 * j + c]] = sums[added[2 * j + c] - 1] + reach[j];
        }
        for (int64_t i = 0; i < own; i++) {
            const uint32_t *at = asked + 9 * i;
            lanes weaker = totals[at[0]] - sums[at[1]] - sums[at[2]];
            lanes up_to = totals[at[3]] - sums[at[4]] - sums[at[5]];
            lanes every = totals[at[6]] - sums[at[7]] - sums[at[8]];
            lanes compatible = every + reach[same[i]];
            pays[2 * i] = compatible * paid[0];
            pays[2 * i + 1] = compatible * paid[1] + (weaker + up_to - every) * paid[2];
        }
        __asm__ volatile("" ::: "memory");
    }
}

/* Regrets and averages at nodes of two actions, 256 hands; the rows of a board are read again for each board. */
void update(int64_t times, int64_t slots, int64_t rows, const T *restrict value, const T *restrict sigma,
            const T *restrict reach, T keep, T discount, float *restrict regrets, float *restrict averages)
{
    while (times--)
        for (int64_t s = 0, row = 0; s < slots; s += 512, row = (row + 512) % (rows * 256)) {
            T node[256];
            for (int64_t i = 0; i < 256; i++)
                node[i] = sigma[row + i] * value[row + i] + sigma[row + 256 + i] * value[row + 256 + i];
            for (int64_t a = 0; a < 512; a += 256)
                for (int64_t i = 0; i < 256; i++) {
                    T regret = (T)regrets[s + a + i] * keep + (value[row + a + i] - node[i]);
                    regrets[s + a + i] = (float)(regret > 0 ? regret : 0);
                    averages[s + a + i] = (float)((T)averages[s + a + i] * discount + sigma[row + a + i] * reach[i]);
                }
        }
}
