/* What `sinew bench position` measures: stiff drives at steps from short to long, by every way to step. */
#ifndef SINEW_CLI_BENCH_POSITION_H
#define SINEW_CLI_BENCH_POSITION_H

int bench_position(int argc, char **argv); /* returns an exit code */
void help_bench_position(void);

#endif
