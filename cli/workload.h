/* Many characters of one model at work: what the speed measurements run. */
#ifndef SINEW_CLI_WORKLOAD_H
#define SINEW_CLI_WORKLOAD_H

#include "timing.h"

#include <sinew/dynamics.h>
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
    bool moving; /* the same target motion for all, new before every step;
                    false: each character has a target pose of its own, always                       */
    int steps;   /* after so many it starts again, untimed: a character at rest in its target pose
                    would be a special case. 0: a period of the motion                               */
    uint64_t seed;
};

struct workload {
    int count, nq, nv, steps;
    int calls, each; /* from one restart to the next, of `each` steps, one when the target moves */
    bool moving;
    bool lost; /* a value stopped being finite                                                      */
    sn_dynamics *dynamics;
    sn_drive drive;
    double *kp, *kd;            /* [nv]                                                               */
    double *start_q, *start_qd; /* [count][nq], [count][nv] state it starts from                      */
    double *q, *qd;             /* the same at present                                                */
    double *target;             /* [steps or 1][count][nq]                                            */
    double *fastest;            /* [calls] s: the least time of each call                             */
    double loading;             /* s: the least time of a call without steps                          */
};

/* On failure says why in `error` and leaves nothing to free. */
sn_status workload_create(struct workload *workload, const sn_model *model, const struct workload_def *def,
                          sn_error *error);
void workload_free(struct workload *workload);
/* Runs it some more; microseconds per character-step by the fastest times so far. Every run does the same steps from the
   same start, so each call has a fastest time of its own; calls are short enough that some go undisturbed even on a busy
   machine. The time that a call without steps takes to carry the states into lanes and back is taken off. */
double workload_time(struct workload *workload, const struct timing *timing);

/* Measures several in turn, repetition by repetition, so that a disturbance spoils one repetition of each
   and not all of one: us[i] is that of def[i], NAN when this build has no such solver. Complains and
   returns false when one cannot be made or does not stay finite. When interrupted, those not reached are
   infinite. */
bool workloads_measure(const sn_model *model, const struct workload_def *def, int count,
                       const struct timing *timing, double *us);

#endif
