/* The public headers compile on their own as C11, twice over. */
#include <sinew/dynamics.h>
#include <sinew/puppet.h>
#include <sinew/studies.h>
#include <sinew/sinew.h>

#include <sinew/dynamics.h>
#include <sinew/puppet.h>
#include <sinew/studies.h>
#include <sinew/sinew.h>

int main(void) {
    sn_status status = SN_OK;
    sn_field field = SN_FIELD_Q;
    sn_constraint none = 0;
    return status == SN_OK && field < SN_FIELD_COUNT && none == 0 ? 0 : 1;
}
