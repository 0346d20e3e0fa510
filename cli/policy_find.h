/* Policies that come with the project, by name. */
#ifndef SINEW_CLI_POLICY_FIND_H
#define SINEW_CLI_POLICY_FIND_H

/* The file of a policy, to be freed: the name itself where there is such a file, or that of a policy which comes with the
   project (policies/NAME.sinew in the folder SINEW_SHARE names, beside the build, or where it is installed). NULL after a
   complaint. */
char *policy_find(const char *name);

#endif
