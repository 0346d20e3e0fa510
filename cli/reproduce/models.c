/* maba-2020 table 1: the five characters. */
#include "experiment.h"
#include "need.h"

#include <sinew/sinew.h>
#include <string.h>

static const struct {
    const char *model, *paper;
    int n, d; /* degrees of freedom; most of them from the root to a leaf */
} table_1[] = {
    {"humanoid", "Humanoid", 34, 13}, {"dog", "Dog", 72, 24},           {"snake36", "Snake1", 36, 36},
    {"snake72", "Snake2", 72, 72},    {"snake195", "Snake3", 195, 195},
};

bool run_maba_models(const struct run_settings *settings, struct result *result) {
    (void)settings;
    enum { COUNT = sizeof table_1 / sizeof table_1[0] };
    int same = 0;
    for (int i = 0; i < COUNT; i++) {
        sn_model *model = need_builtin(table_1[i].model);
        const int n = sn_model_get(model)->nv, d = sn_model_get(model)->depth;
        add_row(result, NULL, {"model", text(table_1[i].model)}, {"paper_name", text(table_1[i].paper)},
                {"n", number(n)}, {"paper_n", number(table_1[i].n)}, {"d", number(d)},
                {"paper_d", number(table_1[i].d)}, {"bodies", number(sn_model_get(model)->nbody)},
                {"mass", number(sn_model_get(model)->mass)});
        same += n == table_1[i].n && d == table_1[i].d;
        sn_model_free(model);
    }
    result_setting(result, "models", text("built-in"));
    add_claims(result, {exactly(COUNT, FROM_PAPER), number(COUNT), number(same),
                        "models with the paper's degrees of freedom n and depth d"});
    result_close(result,
                 "%d of %d built-in models have the n and d of table 1. Shapes and masses are this library's "
                 "own: the paper does not print them.",
                 same, COUNT);
    return true;
}
