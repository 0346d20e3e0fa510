/* Measuring time. Everything that disturbs a measurement adds to it, so the same work is done again and again
 * and its fastest time counts. */
#ifndef SINEW_CLI_TIMING_H
#define SINEW_CLI_TIMING_H

double clock_seconds(void); /* monotonic */

int core_count(void); /* that this program may run on */

struct timing {
    double seconds; /* a repetition lasts at least so long */
    int repetitions;
};

/* `work` does a portion of work, always the same, takes down its times, and returns the seconds it took.
   Calls it for all repetitions; stops early when the command is interrupted. */
void repeat(const struct timing *timing, double (*work)(void *context), void *context);

#endif
