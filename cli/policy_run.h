/* A policy at work in one character: recorded, pushed, told about on a page. */
#ifndef SINEW_CLI_POLICY_RUN_H
#define SINEW_CLI_POLICY_RUN_H

#include "learn_settings.h"

struct cJSON;

struct policy_run {
    double seconds;     /* that it lasted */
    bool fell, stopped; /* stopped: by Ctrl-C */
    double reward;      /* mean per step, up to there */
};

/* Runs one episode of at most so many seconds from the seed's start; the recorder, to be freed, holds it. With a push, N,
   along x every two seconds. NULL after a complaint. */
sn_recorder *policy_run(sn_policy *policy, const struct learn_settings *s, double seconds, uint64_t seed,
                        double push, struct policy_run *run);

/* Pushes of .2 s against the root, `copies` characters from each of the sides, at all places of the motion: how many stand
   three seconds after. False after a complaint. */
enum { SIDES = 4 };
extern const char *const push_side[SIDES];
bool policy_push(sn_policy *policy, const struct learn_settings *s, double force, int copies,
                 int standing[SIDES]);
void policy_push_print(double force, int copies, const int standing[SIDES]);

/* Notes for the page: settings in words; `result`, which is deleted, and what the recording's page wants to know beside. */
void policy_notes(sn_recorder *recorder, const struct learn_settings *s, struct cJSON *result);
/* A page or a recording by the name's ending; false after a complaint. */
bool policy_write(sn_recorder *recorder, const char *path);

/* Judges a policy over a number of episodes. Ranks share them, and they take the motions in turns. Fills by_motion
   [motions] unless it is NULL. Returns false after a complaint. */
bool policy_judge(sn_policy *policy, const struct learn_settings *s, int episodes, double seconds,
                  int threads, sn_policy_score *score, sn_policy_score *by_motion);

#endif
