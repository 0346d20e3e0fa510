/* The public headers compile on their own as C11, twice over. */
#include <sinew/dynamics.h>
#include <sinew/dynamics.h>
#include <sinew/sinew.h>

int main(void) {
    sn_status status = SN_OK;
    return status == SN_OK ? 0 : 1;
}
