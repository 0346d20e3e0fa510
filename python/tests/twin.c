/* The task of examples/task.c as an environment, for comparing it with its twin in Python. */
#define main task_main
#include "../../examples/task.c"
#undef main

sn_environment *twin(int copies, int seed);
sn_environment *twin(int copies, int seed) {
    static struct balance b;
    sn_environment_def def = sn_environment_def_default();
    const sn_task task = make_task(&b, NULL);
    def.copies = copies;
    def.seed = (uint64_t)seed;
    return sn_environment_create(&task, &def, NULL);
}
