/* The task of examples/task.c as an environment, for comparing it with its twin in Python. */
#define main task_main
#include "../../examples/task.c"
#undef main

sn_environment *twin(int copies, int seed);
sn_environment *twin(int copies, int seed) {
    static struct balance b;
    static const char *const terms[] = {"upright", "still"};
    sn_gains_def gains = {0};
    sn_def_default("sn_gains_def", &gains, sizeof gains, 0);
    gains.frequency = 6;
    gains.precision = SN_PRECISION_FLOAT;
    gains.widen = true;
    b.model = sn_builtin_create("humanoid", NULL);
    if (!b.model || sn_gains_choose(b.model, &gains, b.kp, b.kd, NULL)) return NULL;
    for (int i = 0; i < 6; i++)
        b.kp[i] = b.kd[i] = 0;
    sn_model_home_pose(b.model, b.stand);
    const sn_task task = {.user = &b,
                          .name = "balance",
                          .model = b.model,
                          .observations = SEEN,
                          .actions = ACTIONS,
                          .terms = 2,
                          .term_names = terms,
                          .rate = 30,
                          .limit = 10,
                          .open = open_part,
                          .begin = begin,
                          .act = act,
                          .reward = reward,
                          .ends = ends,
                          .observe = observe};
    sn_environment_def def = sn_environment_def_default();
    def.copies = copies;
    def.seed = (uint64_t)seed;
    return sn_environment_create(&task, &def, NULL);
}
