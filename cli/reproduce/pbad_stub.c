#include "experiment.h"
#define S(x) bool x(const struct run_settings *s, struct result *r) { (void)s; (void)r; return false; }
S(run_pbad_control)
