/* What trainings of maba/training brought, kept in a file and drawn. */
#ifndef SINEW_CLI_TRAINING_DATA_H
#define SINEW_CLI_TRAINING_DATA_H

#include "training_run.h"

enum { MOST_SEEDS = 5 };

struct training_set {
    struct training_plan plan;
    bool open[TASKS]; /* the task could be loaded */
    struct training_curve curve[TASKS][WAYS][MOST_SEEDS];
};

/* maba-training.csv in the folder: a line that says what plan it is for, names of columns, a row per point. Trainings that are
   there already are taken from it; a file of another plan is refused. False after a complaint. */
bool training_data_read(struct training_set *set, const char *folder);
bool training_data_write(const struct training_set *set, const char *folder);

/* The key of a task in the file. */
extern const char *const training_task_key[TASKS];

/* Median, lowest and highest score of all seeds at so many samples, or seconds; NaN where not all have come so far. */
struct training_spread {
    double median, low, high;
};
struct training_spread training_spread_at(const struct training_set *set, int task, int way, bool seconds,
                                          double at);
/* The mean of a curve over its points up to so many samples; its score there. */
double training_area(const struct training_curve *curve, double samples);

/* Two figures for each task, over samples and over seconds. */
bool training_draw(const struct training_set *set, const char *folder);

#endif
