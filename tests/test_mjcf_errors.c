/* What the MJCF reader says about files that are wrong, and how fast it says it. */
#include "mjcf_helpers.h"
#include "text_helpers.h"

#include <time.h>

/* ----------------------------------------------------------------------------------------------- mistakes */

#define WORLD(contents) "<mujoco><worldbody>" contents "</worldbody></mujoco>"
#define BODY(contents) WORLD("\n<body name='a'>\n" contents BALL "</body>")

static const struct {
    const char *text, *message;
} mistake[] = {
    {"<mujoco/>", "m.xml: the model has no bodies"},
    {BODY("<joint type='screw'/>"),
     "m.xml:3: <joint> attribute 'type': 'screw' is none of free, ball, slide, hinge"},
    {BODY("<joint axis='0 0 0'/>"), "m.xml:3: <joint> attribute 'axis': is zero"},
    {BODY("<joint axis='1 0'/>"), "m.xml:3: <joint> attribute 'axis': has 2 numbers, needs 3"},
    {BODY("<joint range='1 0'/>"), "m.xml:3: <joint> attribute 'range': 1 is not below 0"},
    {BODY("<joint limited='true'/>"), "attribute 'range': 0 is not below 0"},
    {BODY("<joint type='ball' range='1 2'/>"), "attribute 'range': of a ball joint"},
    {BODY("<joint limited='maybe'/>"), "'maybe' is none of false, true, auto"},
    {BODY("<joint damping='-1'/>"), "m.xml:3: <joint> body 'a': joint.damping is -1. Set it to"},
    {WORLD("\n<body name=\"it's\">\n<joint damping='-1'/>" BALL "</body>"),
     "m.xml:3: <joint> body 'it's': joint.damping is -1. Set it to"},
    {BODY("<joint armature='x'/>"), "attribute 'armature': 'x' is not a finite number"},
    {BODY("<joint name='j'/><joint name='j'/>"), "attribute 'name': 'j' is the name of a joint already"},
    {BODY("<joint class='none'/>"), "attribute 'class': there is no default class 'none'"},
    {BODY("<joint/><geom type='box' size='1 1'/>"),
     "m.xml:3: <geom> attribute 'size': number 3 of a box is 0, not positive"},
    {BODY("<joint/><geom size='-1'/>"), "attribute 'size': number 1 of a sphere is -1"},
    {BODY("<joint/><geom size='1' mass='-1'/>"), "attribute 'mass': is negative"},
    {BODY("<joint/><geom size='1' density='-1'/>"), "attribute 'density': is negative"},
    {BODY("<joint/><geom size='1' friction='-.5'/>"), "m.xml:3: <geom> attribute 'friction': is negative"},
    {BODY("<joint/><geom size='1' friction='1 2 3 4'/>"), "attribute 'friction': has "},
    {BODY("<joint/><geom size='1' friction='ice'/>"), "attribute 'friction': 'ice' is not a finite number"},
    {BODY("<joint/><geom size='1' contype='1.5'/>"),
     "m.xml:3: <geom> attribute 'contype': 1.5 is not a whole number of 32 bits"},
    {BODY("<joint/><geom size='1' conaffinity='4294967296'/>"), "is not a whole number of 32 bits"},
    {BODY("<joint/><geom size='1' conaffinity='-2147483649'/>"), "is not a whole number of 32 bits"},
    {"<mujoco><worldbody><body name='a'/></worldbody>\n<contact>\n<exclude "
     "body1='a'/></contact></mujoco>",
     "m.xml:3: <exclude> attribute 'body2': is missing"},
    {"<mujoco><worldbody><body name='a'/></worldbody><contact>\n<exclude body1='b' "
     "body2='a'/></contact></mujoco>",
     "m.xml:2: <exclude> attribute 'body1': there is no body 'b'"},
    {BODY("<joint/><geom size='1' fromto='0 0 0 1 1 1'/>"), "attribute 'fromto': a sphere has no ends"},
    {BODY("<joint/><geom type='box' size='1' fromto='0 0 0 0 0 0'/>"),
     "attribute 'fromto': the ends are in one place"},
    {BODY("<joint/><geom size='1' type='cone'/>"), "attribute 'type': 'cone' is none of plane"},
    {BODY("<joint/><geom size='1' quat='0 0 0 0'/>"), "attribute 'quat': is zero"},
    {BODY("<joint/><geom size='1' axisangle='0 0 0 1'/>"), "attribute 'axisangle': the axis is zero"},
    {BODY("<joint/><geom size='1' xyaxes='1 0 0 2 0 0'/>"), "attribute 'xyaxes': the axes are parallel"},
    {BODY("<joint/><geom size='1' zaxis='0 0 0'/>"), "attribute 'zaxis': the axis is zero"},
    {BODY("<joint/><inertial pos='0 0 0'/>"), "m.xml:3: <inertial> attribute 'mass': is missing"},
    {BODY("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>"),
     "<inertial> has both diaginertia and fullinertia"},
    {BODY("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>"),
     "m.xml:3: <joint> body 'a': inertia is not physical"},
    {BODY("<joint/><inertial pos='0 0 0' mass='1'/><inertial mass='1'/>"), "is the second one of its body"},
    {BODY("<joint/><geom size='1' mass='1e308'/><geom size='1' mass='1e308'/>"), "too large"},
    {WORLD("<body name='a'>\n<joint/></body>"), "m.xml:2: <joint> body 'a': "},
    {WORLD("<body name='a'><joint/>" BALL "</body>\n<body name='a'><joint/>" BALL "</body>"),
     "m.xml:2: <body> attribute 'name': 'a' is the name of a body already"},
    {BODY("<joint/><body><freejoint/>" BALL "</body>"), "a free joint needs the world as parent"},
    {WORLD("<joint/>"), "m.xml:1: <joint> cannot stand in the world itself"},
    {WORLD("<frame><inertial/></frame>"), "<inertial> cannot stand in the world itself"},
    {WORLD("<body childclass='none'/>"), "attribute 'childclass': there is no default class 'none'"},
    {WORLD("<body name='0123456789012345678901234567890123456789012345678901234567890123'/>"),
     "<body> attribute 'name': '012345678901234567890123456789012345678901234567890123456789012...' is "
     "longer than 63 bytes"},
    {"<mujoco>\n<compiler coordinate='global'/></mujoco>",
     "m.xml:2: <compiler> attribute 'coordinate': global coordinates are not read"},
    {"<mujoco><compiler eulerseq='xyw'/></mujoco>",
     "attribute 'eulerseq': 'xyw' is not three of x, y, z, X, Y and Z"},
    {"<mujoco><compiler angle='turn'/></mujoco>", "'turn' is none of radian, degree"},
    {"<mujoco><default><default/></default></mujoco>", "<default> attribute 'class': is missing"},
    {"<mujoco><default><default class='a'/><default class='a'/></default></mujoco>",
     "attribute 'class': 'a' is there already"},
    {"<mujoco><actuator>\n<motor joint='j'/></actuator></mujoco>",
     "m.xml:2: <motor> attribute 'joint': there is no joint 'j'"},
    {"<mujoco><actuator><motor gear=''/></actuator></mujoco>",
     "attribute 'gear': has 0 numbers, needs at least 1"},
    {"<mujoco><worldbody><body><joint/>" BALL
     "</body></worldbody><keyframe>\n<key qpos='1 2'/></keyframe></mujoco>",
     "m.xml:2: <key> attribute 'qpos': has more than 1 number"},
    {"<mujoco>\n<worldbody></mujoco>", "m.xml:2: mismatched tag"},
};

TEST(mistakes_are_told_with_file_line_and_reason) {
    for (int i = 0; i < COUNT(mistake); i++)
        refused(mistake[i].text, mistake[i].message);
}

/* -------------------------------------------------------------------------------------------------- bombs */

static void refused_quickly(const char *before, const char *pattern, int count, const char *after,
                            const char *message) {
    char *text = repeated(before, pattern, count, after);
    const clock_t from = clock(); /* of the processor: others may be at work on the machine */
    refused(text, message);
    const double took = (double)(clock() - from) / CLOCKS_PER_SEC;
    free(text);
    if (took > 2) fail_msg("%s: %g s", message, took);
}

TEST(bombs_are_refused_quickly) {
    refused_quickly("<mujoco><worldbody>", "<body>", 1000000, "", "nested too deeply");
    refused_quickly("<mujoco><worldbody>", "<body><joint/>" BALL "</body>", 20000, "</worldbody></mujoco>",
                    "one too many: a model holds at most 4096 bodies");
    refused_quickly("<mujoco><worldbody><body>", "<joint/>", 500000, "</body></worldbody></mujoco>",
                    "is one too many");
    refused_quickly("<mujoco><worldbody><body><joint/>", BALL, 200000, "</body></worldbody></mujoco>",
                    "one too many");
    refused_quickly("<mujoco><default>", "<default class='a'/>", 200000, "</default></mujoco>",
                    "is there already");
    refused_quickly("<mujoco><worldbody><body name='", "a", 1 << 20, "'/></worldbody></mujoco>",
                    "is longer than 63 bytes");
    refused_quickly("<mujoco><worldbody><body pos='0 0 ", "1", 1 << 20, "'/></worldbody></mujoco>",
                    "a number is longer than 255 bytes");
    refused_quickly("<mujoco><worldbody><body pos='", "1 ", 1 << 20, "'/></worldbody></mujoco>",
                    "has more than 3 numbers");
    refused_quickly("<mujoco><asset>", "<mesh file='a'/>", 200000, "</asset></mujoco>", "is one too many");
    refused_quickly("<mujoco><worldbody><body><joint name='j'/>" BALL "</body></worldbody><actuator>",
                    "<motor joint='j'/>", 200000, "</actuator></mujoco>", "is one too many");
    refused_quickly("<mujoco>", "<include file='none.xml'/>", 1000, "</mujoco>", "none.xml: cannot be read");
    refused_quickly("<!DOCTYPE mujoco [<!ENTITY a 'b'>", "<!ENTITY a 'b'>", 100, "]><mujoco>&a;</mujoco>",
                    "entities");
}

int main(void) {
    return run_all("mjcf errors");
}
