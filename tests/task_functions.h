/* What the tasks of the tests share. */
#ifndef SINEW_TESTS_TASK_FUNCTIONS_H
#define SINEW_TESTS_TASK_FUNCTIONS_H

/* The functions of a task, in its table: their names begin alike. */
#define TASK_FUNCTIONS(name)                                                                                 \
    .begin = name##_begin, .act = name##_act, .reward = name##_reward, .ends = name##_ends,                  \
    .observe = name##_observe

#endif
