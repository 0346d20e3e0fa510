#include "world/world.h"
sn_status sn__world_step_event(sn_world *w) {
    return sn__world_step_time(w);
}
