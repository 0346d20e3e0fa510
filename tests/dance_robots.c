/* MJCF of robots of hinges that dance. */
#include "dance_text.h"

#include <stddef.h>

static void say_link(char *text, const char *side, const char *name, const double pos[3], const char *axis,
                     const char *range, const double tip[3]) {
    say(text, "<body name='%s%s' pos='%g %g %g'><joint axis='%s' range='%s'/>", side, name, pos[0], pos[1],
        pos[2], axis, range);
    if (tip)
        say(text, "<geom type='capsule' size='.03' fromto='0 0 0 %g %g %g'/>", tip[0], tip[1], tip[2]);
    else
        say(text, "<inertial pos='0 0 0' mass='.1' diaginertia='.001 .001 .001'/>");
}

#define AT(...) ((const double[3]){__VA_ARGS__})

const char *dance_robot(char *text, int shoulder) {
    used = 0;
    say(text, "<mujoco><compiler angle='radian' autolimits='true'/><worldbody><body name='pelvis' pos='0 0 "
              ".9'><freejoint/>"
              "<geom type='box' size='.08 .1 .06'/>");
    for (int k = 0; k < 2; k++) {
        const char *side = k ? "right_" : "left_", *out = k ? "-2.5 .2" : "-.2 2.5";
        const double y = k ? -1 : 1;
        say_link(text, side, "hip_yaw_link", AT(0, .09 * y, -.05), "0 0 1", "-.6 .6", NULL);
        say_link(text, side, "hip_roll_link", AT(0, 0, 0), "1 0 0", "-.6 .6", NULL);
        say_link(text, side, "hip_pitch_link", AT(0, 0, 0), "0 1 0", "-1.6 1.6", AT(0, 0, -.4));
        say_link(text, side, "knee_link", AT(0, 0, -.4), "0 1 0", "-.1 2.1", AT(0, 0, -.38));
        say_link(text, side, "ankle_link", AT(0, 0, -.38), "0 1 0", "-.9 .6", AT(.12, 0, -.05));
        say(text, "</body></body></body></body></body>");
        if (k == 0) continue;
        say(text, "<body name='torso_link'><joint axis='0 0 1' range='-2 2'/><geom type='capsule' size='.1' "
                  "fromto='0 0 .1 0 0 "
                  ".4'/>");
        for (int arm = 0; arm < 2; arm++) {
            const char *which = arm ? "right_" : "left_";
            out = arm ? "-2.5 .3" : "-.3 2.5";
            say_link(text, which, "shoulder_pitch_link", AT(0, arm ? -.18 : .18, .4), "0 1 0", "-2.8 2.8",
                     NULL);
            say_link(text, which, "shoulder_roll_link", AT(0, 0, 0), "1 0 0", out,
                     shoulder == 3 ? NULL : AT(0, 0, -.22));
            if (shoulder == 3)
                say_link(text, which, "shoulder_yaw_link", AT(0, 0, 0), "0 0 1", "-1.5 1.5", AT(0, 0, -.22));
            say_link(text, which, "elbow_link", AT(0, 0, -.22), "0 1 0", "-2.3 .1", AT(0, 0, -.26));
            say(text, "</body></body></body>%s", shoulder == 3 ? "</body>" : "");
        }
        say(text, "</body>");
    }
    say(text, "</body></worldbody></mujoco>");
    return text;
}

const char *dance_robot_dog(char *text) {
    static const char *const leg[] = {"FL_", "FR_", "RL_", "RR_"};
    used = 0;
    say(text, "<mujoco><compiler angle='radian' autolimits='true'/><worldbody><body name='trunk' pos='0 0 "
              ".4'><freejoint/>"
              "<geom type='box' size='.22 .05 .04'/>");
    for (int k = 0; k < 4; k++) {
        const double y = k % 2 ? -1 : 1, x = k < 2 ? .19 : -.19;
        say_link(text, leg[k], "hip", AT(x, .05 * y, 0), "1 0 0", "-.9 .9", AT(0, .04 * y, 0));
        say_link(text, leg[k], "thigh", AT(0, .08 * y, 0), "0 1 0", "-1.5 2.6", AT(0, 0, -.21));
        say_link(text, leg[k], "calf", AT(0, 0, -.21), "0 1 0", "-2.7 -.3", AT(0, 0, -.21));
        say(text, "</body></body></body>");
    }
    say(text, "</body></worldbody></mujoco>");
    return text;
}
