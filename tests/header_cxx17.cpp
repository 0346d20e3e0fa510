// The public headers compile on their own as C++17, twice over.
#include <sinew/dynamics.h>
#include <sinew/puppet.h>
#include <sinew/studies.h>
#include <sinew/dynamics.h>
#include <sinew/puppet.h>
#include <sinew/studies.h>
#include <sinew/sinew.h>

int main() {
    sn_status status = SN_OK;
    return status == SN_OK ? 0 : 1;
}
