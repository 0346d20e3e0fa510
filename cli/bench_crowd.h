/* What `sinew bench crowd` measures: many characters at once, in the air and on the ground. */
#ifndef SINEW_CLI_BENCH_CROWD_H
#define SINEW_CLI_BENCH_CROWD_H

int bench_crowd(int argc, char **argv); /* returns an exit code */
void help_bench_crowd(void);

#endif
