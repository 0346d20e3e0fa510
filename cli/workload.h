/* Many characters of one model at work: what the speed measurements run. */
#ifndef SINEW_CLI_WORKLOAD_H
#define SINEW_CLI_WORKLOAD_H

#include "timing.h"

#include <sinew/sinew.h>
#include <stdbool.h>
#include <stdint.h>

/* Solvers by the names the command uses, in the order it shows them; the last one has no name. */
struct solver_name {
    const char *name;
    sn_solver solver;
};
extern const struct solver_name solver_names[];

const sn_lanes_info *lanes_find(const char *name);         /* NULL: not on this machine       */
const sn_lanes_info *lanes_widest(sn_precision precision); /* of this machine                 */
const char *precision_name(sn_precision precision);        /* "float" or "double"             */

struct workload_def {
    const sn_lanes_info *lanes;
    sn_solver solver;
    sn_form form;
    int count; /* characters                                                                       */
    double dt;
    bool driven; /* gains of maba-2020 section 4.1; false: all gains zero                            */
    bool moving; /* the same target motion for all, set anew before every step, untimed;
                    false: each character has a target pose of its own, set once                     */
    int steps;   /* after so many it starts again, untimed: a character at rest in its target pose
                    would be a special case. 0: a period of the motion                               */
    uint64_t seed;
};

struct workload {
    int count, nq, nv, steps;
    bool moving;
    sn_crowd *crowd;
    double *start_q, *start_qd; /* [count][nq], [count][nv] state it starts from                      */
    double *target;             /* [steps or 1][count][nq]                                            */
    double *fastest;            /* [steps] seconds of each step, the least of all times it was done   */
};

/* On failure says why in `error` and leaves nothing to free. */
sn_status workload_create(struct workload *workload, const sn_model *model, const struct workload_def *def,
                          sn_error *error);
void workload_free(struct workload *workload);
/* Runs it some more; microseconds a character-step by the fastest times so far. Every run does the same steps
   from the same start, so each step has a fastest time of its own; steps are short enough that some go
   undisturbed even on a busy machine. */
double workload_time(struct workload *workload, const struct timing *timing);

/* Measures several in turn, repetition by repetition, so that a disturbance spoils one repetition of each
   and not all of one: us[i] is that of def[i], NAN when this build has no such solver. Complains and
   returns false when one cannot be made or does not stay finite. When interrupted, those not reached are
   infinite. */
bool workloads_measure(const sn_model *model, const struct workload_def *def, int count,
                       const struct timing *timing, double *us);

#endif
