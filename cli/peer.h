/* Another engine on our scenes: a separate program that prints one JSON object (bench/README.md). */
#ifndef SINEW_CLI_PEER_H
#define SINEW_CLI_PEER_H

#include <sinew/sinew.h>
#include <stdbool.h>

struct cJSON;

struct peer {
    char *program; /* NULL: there is none */
    char *model;   /* a temporary MJCF file */
};

/* The program of that name in the folder that the environment variable SINEW_PEERS names, or in ../bench from where this
   command lies, to be freed; NULL: there is none. */
char *peer_program(const char *name);
/* Finds the program peer_mujoco_ground, and writes the model for it. Says in one line on stderr when there is none. */
bool peer_find(struct peer *peer, const sn_model *model);
void peer_free(struct peer *peer); /* and removes the file */

struct peer_run {
    const char *scene, *method; /* "stand" or "fall"; "armature", "euler" or "implicit" */
    double dt, seconds, kp, kd;
    int repeat;         /* timed runs; 0: none */
    double hertz, sway; /* of "track"; both 0: 1 Hz by 0.25 rad */
    bool quiet;         /* do not report a failure */
};

/* What it printed, for the caller to delete; NULL after a complaint. */
struct cJSON *peer_ask(const struct peer *peer, const struct peer_run *run);
/* A number of the answer; NAN when it is null or not there. */
double peer_number(const struct cJSON *answer, const char *key);

#endif
