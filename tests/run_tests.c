#include "run_tests.h"

#include <stdlib.h>

static struct CMUnitTest test[64];
static size_t count;

void announce_test(const char *name, CMUnitTestFunction run) {
    if (count == sizeof test / sizeof *test) abort(); /* make the array longer */
    test[count++] = (struct CMUnitTest){.name = name, .test_func = run};
}

int run_all_between(const char *group, CMFixtureFunction before, CMFixtureFunction after) {
    return _cmocka_run_group_tests(group, test, count, before, after);
}

int run_all(const char *group) {
    return run_all_between(group, NULL, NULL);
}

int run_all_each(const char *group, CMFixtureFunction before, CMFixtureFunction after) {
    for (size_t i = 0; i < count; i++)
        test[i].setup_func = before, test[i].teardown_func = after;
    return run_all(group);
}
