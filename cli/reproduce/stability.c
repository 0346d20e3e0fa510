#include "experiment.h"
bool run_spd_stability(const struct run_settings *settings, struct result *result) {
    (void)settings;
    (void)result;
    return false;
}
