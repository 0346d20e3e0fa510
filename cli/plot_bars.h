/* Bars for any table of an experiment: a figure for each of its columns, a bar for each of its rows. */
#ifndef SINEW_CLI_PLOT_BARS_H
#define SINEW_CLI_PLOT_BARS_H

#include "experiment.h"

/* Writes FOLDER/tableN-COLUMN.svg for every measured column of every table, the paper's values beside ours where a column
   "paper_..." has them. Returns how many, or -1 after a complaint. */
int plot_bars(const struct result *result, const char *folder);

#endif
