/* sinew run from outside: scenes, characters, recordings, what is refused. */
#include "cli_helpers.h"

#include <math.h>

static const char scene[] =
    "<mujoco><option timestep='.004'/><worldbody><geom type='plane' size='5 5 1'/>"
    "<geom type='box' size='.5 .5 .2' pos='1 0 .2'/><geom type='cylinder' size='.4 .3' pos='-1 0 .3'/>"
    "<body name='ball' pos='1 0 1'><freejoint/><geom size='.1'/></body>"
    "<body name='arm' pos='0 2 1'><joint name='j' axis='0 1 0'/><geom type='capsule' size='.05' fromto='0 0 "
    "0 .4 0 0'/>"
    "</body></worldbody><actuator><position joint='j' kp='30' dampratio='1'/></actuator>"
    "<keyframe><key ctrl='.5'/><key name='other' ctrl='-.5'/></keyframe></mujoco>";

TEST(scenes_run_and_are_told_of) {
    write_text("scene.xml", scene);
    cJSON *json = run_json("run scene.xml --seconds 2 --json", 0);
    assert_true(fabs(number_of(json, "dt") - .004) < 1e-12);
    assert_true(number_of(json, "steps") == 500);
    assert_true(number_of(json, "ground") == 3);
    const cJSON *members = cJSON_GetObjectItem(json, "members"), *ball = cJSON_GetArrayItem(members, 0);
    assert_int_equal(cJSON_GetArraySize(members), 2);
    assert_string_equal(text_of(ball, "name"), "ball");
    assert_true(fabs(cJSON_GetArrayItem(cJSON_GetObjectItem(ball, "com"), 2)->valuedouble - .5) < 2e-3);
    cJSON_Delete(json);
    struct output o = run_expecting("run scene.xml --seconds 1 --dt 1/500 --key other", 0);
    assert_non_null(strstr(o.out, "2 members, 3 ground, 1 s in 500 steps of 0.002 s"));
    assert_non_null(strstr(o.out, "arm"));
    release(&o);
    remove(in_room("scene.xml"));
}

TEST(what_runs_is_recorded_with_its_ground) {
    write_text("scene.xml", scene);
    expect_success("run scene.xml --seconds .5 --record run.json --rate 20");
    expect_success("run scene.xml --seconds .5 --record run.glb");
    FILE *file = fopen(in_room("run.json"), "r");
    char *text = read_all(file);
    assert_non_null(strstr(text, "\"ground\":{\"point\":[0,0,0],\"normal\":[0,0,1]}"));
    assert_non_null(strstr(text, "\"name\":\"ground\"")); /* the box and the cylinder */
    free(text);
    remove(in_room("scene.xml")), remove(in_room("run.json")), remove(in_room("run.glb"));
}

TEST(characters_of_other_formats_run_on_a_plane) {
    write_text(
        "r.urdf",
        "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1'/>"
        "</inertial><collision><geometry><sphere radius='.2'/></geometry></collision></link></robot>");
    cJSON *json = run_json("run r.urdf --seconds 1 --json", 0);
    const cJSON *ball = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "members"), 0);
    assert_true(fabs(cJSON_GetArrayItem(cJSON_GetObjectItem(ball, "com"), 2)->valuedouble - .2) < 2e-3);
    cJSON_Delete(json);
    remove(in_room("r.urdf"));
}

TEST(what_cannot_run_is_told) {
    write_text("scene.xml", scene);
    write_text("empty.xml", "<mujoco><worldbody/></mujoco>");
    expect_failures("run => 2 run needs\n"
                    "run nothing.xml => 1 nothing.xml\n"
                    "run empty.xml => 1 nothing in the scene\n"
                    "run scene.xml --key third => 1 no keyframe 'third'\n"
                    "run scene.xml --dt 0 => 2 --dt\n"
                    "run scene.xml --contact soft => 2 'soft'\n"
                    "run scene.xml --seconds .1 --record no/such/run.json => 1 no/such/run.json\n");
    remove(in_room("scene.xml")), remove(in_room("empty.xml"));
}

int main(void) {
    return run_tests_in_room("cli run");
}
