/* sinew bench protocol: steps per second by the protocols of others, beside how exact they are. */
#ifndef SINEW_CLI_BENCH_PROTOCOL_H
#define SINEW_CLI_BENCH_PROTOCOL_H

void help_bench_protocol(void);
int bench_protocol(int argc, char **argv);

#endif
