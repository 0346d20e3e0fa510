/* One dance, written as files of many conventions: what the same people and animals look like to CMU, Mixamo, DeepMimic, Biped,
 * motion_imitation and robots. Here X is ahead, Y left, Z up; lengths are metres, each file has its own. */
#ifndef SINEW_TESTS_DANCE_H
#define SINEW_TESTS_DANCE_H

enum { DANCE_FRAMES = 24, DANCE_TEXT = 1 << 17 };

enum dance_limb { LEFT_LEG, RIGHT_LEG, LEFT_ARM, RIGHT_ARM, DANCE_LIMBS };

/* Names of the joints where each limb begins, bends and ends, and of the trunk. */
struct dance_source {
    const char *name;
    const char *limb[DANCE_LIMBS][3];
    double length[DANCE_LIMBS][2];    /* of the upper and the lower half */
    double heading;                   /* where it looks once it is read, about z from x */
    const char *(*write)(char *text); /* a file */
};

extern const struct dance_source dance_people[5], dance_animals[3];

/* Where a limb of people points at a frame, from its beginning to its end, if its halves have these lengths. */
void dance_direction(enum dance_limb limb, int frame, const double length[2], double d[3]);

/* MJCF of robots of hinges: a person with and without the third hinge in its shoulders, an animal. */
const char *dance_robot(char *text, int shoulder);
const char *dance_robot_dog(char *text);

#endif
