/* Tests that announce themselves: what TEST defines is run by run_all in the order of the file, and none can be
 * forgotten in a list. */
#ifndef SINEW_TESTS_RUN_TESTS_H
#define SINEW_TESTS_RUN_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST(sentence)                                                                                       \
    static void sentence(void **state);                                                                      \
    __attribute__((constructor)) static void announce_##sentence(void) {                                     \
        announce_test(#sentence, sentence);                                                                  \
    }                                                                                                        \
    static void sentence(__attribute__((unused)) void **state)

void announce_test(const char *name, CMUnitTestFunction run); /* called before main */
/* Runs all tests of the program; returns how many failed. */
int run_all(const char *group);
/* One function before each test and one after it. */
int run_all_each(const char *group, CMFixtureFunction before, CMFixtureFunction after);
/* One function before the first test and one after the last. */
int run_all_between(const char *group, CMFixtureFunction before, CMFixtureFunction after);

#endif
