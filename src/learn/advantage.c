#include "learn/advantage.h"

void sn__advantages(const struct sn__trace *trace, double gamma, double lambda, real *advantage,
                    real *target) {
    const int n = trace->copies;
    const real g = (real)gamma, gl = (real)(gamma * lambda);
    for (int t = trace->steps - 1; t >= 0; t--)
        for (int i = 0; i < n; i++) {
            const int at = t * n + i;
            const bool terminated = trace->terminated[at], truncated = trace->truncated[at];
            const real next = terminated ? 0 : truncated ? trace->final_value[at] : trace->value[at + n];
            const real later = terminated || truncated || t == trace->steps - 1 ? 0 : advantage[at + n];
            advantage[at] = trace->reward[at] + g * next - trace->value[at] + gl * later;
            target[at] = advantage[at] + trace->value[at];
        }
}
