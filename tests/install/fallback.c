#include <sinew/sinew.h>
#include <stdio.h>

int main(void) {
    printf("sinew %s\n", sn_version());
    return 0;
}
