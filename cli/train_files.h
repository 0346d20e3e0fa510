/* The files of a training: its folder, the learning curve, and what TensorBoard reads. */
#ifndef SINEW_CLI_TRAIN_FILES_H
#define SINEW_CLI_TRAIN_FILES_H

#include <sinew/learn.h>
#include <stdio.h>

enum { CURVE_COLUMNS = 13 };

/* A row for each iteration: iteration, samples, seconds, then what sn_training says, last the normalised return, NaN where it
   was not measured. */
struct curve {
    double (*row)[CURVE_COLUMNS];
    int count, room;
    FILE *csv, *events;
    char *folder;
};
enum {
    CURVE_ITERATION,
    CURVE_SAMPLES,
    CURVE_SECONDS,
    CURVE_RETURN,
    CURVE_LENGTH,
    CURVE_REWARD,
    CURVE_NORMALISED = CURVE_COLUMNS - 1
};

/* "FOLDER/NAME", to be freed. */
char *train_path(const char *folder, const char *name);

/* Opens both files in the folder. A training that goes on after `iterations` keeps the rows up to there. False after a
   complaint. */
bool curve_open(struct curve *curve, const char *folder, uint64_t iterations);
/* `seconds` of training so far, `normalised` NaN: not measured. */
void curve_add(struct curve *curve, const sn_training *now, double seconds, double normalised);
/* Brings what was added to the disk; false: it could not be written, after a complaint. */
bool curve_flush(struct curve *curve);
/* curve.svg: return and normalised return over samples. */
bool curve_draw(const struct curve *curve, const char *title);
/* Seconds of training, seconds that an episode lasted, and normalised return, as JSON; to be freed with cJSON_free. */
char *curve_json(const struct curve *curve);
bool curve_close(struct curve *curve);

#endif
