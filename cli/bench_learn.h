/* sinew bench learn: samples per second of a training, and where the time goes. */
#ifndef SINEW_CLI_BENCH_LEARN_H
#define SINEW_CLI_BENCH_LEARN_H

void help_bench_learn(void);
int bench_learn(int argc, char **argv);

#endif
