/* The attributes that elements of MJCF and URDF can have, whether they are read or not. Each element is listed once, with all
 * attributes that it can have anywhere: a <joint> is a part of a body, of a tendon and of an equality. */
#include "import/attributes.h"

#include "import/load.h"

#include <stdio.h>
#include <string.h>

struct known {
    const char *element;
    const char *attributes; /* with blanks between them; NULL: of it and what is in it nothing is looked at */
};

#define PLACE "pos quat axisangle xyaxes zaxis euler "
#define GENERAL                                                                                              \
    "name class group nsample interp delay ctrllimited forcelimited actlimited ctrlrange forcerange "        \
    "actrange "                                                                                              \
    "lengthrange gear cranklength joint jointinparent tendon slidersite cranksite site refsite body user "   \
    "damping armature "
#define SOLVER "solref solimp solreflimit solimplimit solreffriction solimpfriction solreffix solimpfix "

#define OVERRIDE "o_margin o_solref o_solimp o_friction collision actuatorgroupdisable "
#define EFFORT                                                                                               \
    "tolerance ls_tolerance noslip_tolerance mpr_tolerance ccd_tolerance sleep_tolerance iterations "        \
    "ls_iterations noslip_iterations mpr_iterations ccd_iterations sdf_iterations sdf_initpoints "

static const struct known MJCF[] = {
    {"mujoco", "model"},
    {"compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb "
     "eulerseq meshdir texturedir assetdir discardvisual usethread fusestatic inertiafromgeom "
     "inertiagrouprange saveinertial alignfree exactmeshinertia convexhull conflict"},
    {"option", "timestep apirate impratio gravity wind magnetic density viscosity integrator cone jacobian "
               "solver " OVERRIDE EFFORT},
    {"flag",
     "constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart "
     "filterparent actuation refsafe sensor midphase nativeccd eulerdamp autoreset override energy fwdinv "
     "invdiscrete multiccd island sensornoise sleep diagexact ipc"},
    {"default", "class"},
    {"worldbody", "name childclass"},
    {"body", "name childclass mocap gravcomp user sleep " PLACE},
    {"frame", "name childclass " PLACE},
    {"replicate", "count sep offset euler " PLACE},
    {"attach", "model body prefix"},
    {"model", "name file content_type"},
    {"include", "file"},
    {"inertial", "mass diaginertia fullinertia " PLACE},
    {"joint",
     "name class type group pos axis springdamper limited actuatorfrclimited actuatorgravcomp range "
     "actuatorfrcrange margin ref springref armature damping stiffness frictionloss user ref coef joint "
     "joint1 joint2 polycoef active " SOLVER},
    {"freejoint", "name group align"},
    {"geom", "name class type contype conaffinity condim group priority size material friction mass density "
             "shellinertia solmix margin gap fromto hfield mesh fitscale rgba fluidshape fluidcoef user "
             "sidesite geom "
             "surfacevel surface_velocity " PLACE SOLVER},
    {"site", "name class type group material size fromto rgba user site " PLACE},
    {"mesh", "name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal "
             "maxhullvert inertia builtin params material"},
    {"hfield", "name content_type file nrow ncol size elevation"},
    {"exclude", "name body1 body2"},
    {"pair", "name class geom1 geom2 condim friction solref solreffriction solimp margin gap"},
    {"connect", "name class active body1 body2 anchor site1 site2 " SOLVER},
    {"weld", "name class active body1 body2 relpose anchor site1 site2 torquescale " SOLVER},
    {"tendon",
     "name class active tendon1 tendon2 polycoef group limited range margin stiffness springlength damping "
     "frictionloss width rgba material actuatorfrclimited actuatorfrcrange armature user " SOLVER},
    {"spatial",
     "name class group limited range actuatorfrclimited actuatorfrcrange margin frictionloss springlength "
     "stiffness damping armature width material rgba user " SOLVER},
    {"fixed",
     "name class group limited range actuatorfrclimited actuatorfrcrange margin frictionloss springlength "
     "stiffness damping armature user " SOLVER},
    {"pulley", "divisor"},
    {"general", GENERAL "dyntype gaintype biastype dynprm gainprm biasprm actdim actearly"},
    {"motor", GENERAL},
    {"position", GENERAL "kp kv dampratio timeconst inheritrange"},
    {"velocity", GENERAL "kv"},
    {"intvelocity", GENERAL "kp kv dampratio inheritrange"},
    {"damper", GENERAL "kv"},
    {"cylinder", GENERAL "timeconst area diameter bias"},
    {"muscle", GENERAL "timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax"},
    {"adhesion", GENERAL "gain"},
    {"key", "name time qpos qvel act mpos mquat ctrl"},
    {"sensor", NULL},
    {"visual", NULL},
    {"statistic", NULL},
    {"size", NULL},
    {"custom", NULL},
    {"extension", NULL},
    {"deformable", NULL},
    {"composite", NULL},
    {"flexcomp", NULL},
    {NULL, NULL},
};

static const struct known URDF[] = {
    {"robot", "name version"},
    {"link", "name type"},
    {"joint", "name type"},
    {"origin", "xyz rpy quat_xyzw"},
    {"inertial", "name"},
    {"mass", "value"},
    {"inertia", "ixx ixy ixz iyy iyz izz"},
    {"collision", "name group"},
    {"geometry", "name"},
    {"box", "size"},
    {"cylinder", "radius length"},
    {"capsule", "radius length"},
    {"sphere", "radius"},
    {"mesh", "filename scale"},
    {"axis", "xyz"},
    {"parent", "link"},
    {"child", "link"},
    {"limit", "lower upper twist effort velocity acceleration deceleration jerk"},
    {"dynamics", "damping friction rotor_inertia armature"},
    {"mimic", "joint multiplier offset"},
    {"calibration", "rising falling reference_position"},
    {"safety_controller", "soft_lower_limit soft_upper_limit k_position k_velocity"},
    {"visual", NULL},
    {"gazebo", NULL},
    {"transmission", NULL},
    {"material", NULL},
    {"sensor", NULL},
    {NULL, NULL},
};

enum { MOST = 64, LONGEST = 32 };

struct check {
    const struct known *known;
    const sn_load_def *options;
    const struct sn__xml_node *told_in[MOST]; /* what has been told, once for each name and element */
    const char *told[MOST];
    int count;
};

/* The next word of a list and its length; NULL: no more. */
static const char *next_word(const char *list, size_t *length) {
    list += strspn(list, " ");
    *length = strcspn(list, " ");
    return *length ? list : NULL;
}

/* How many letters have to be changed, added or left out to make one word of another. */
static int distance(const char *a, size_t na, const char *b, size_t nb) {
    int row[LONGEST + 1];
    if (na > LONGEST || nb > LONGEST) return LONGEST;
    for (size_t j = 0; j <= nb; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int corner = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            const int changed = corner + (a[i - 1] != b[j - 1]);
            const int shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = changed < shorter ? changed : shorter;
        }
    }
    return row[nb];
}

static bool was_told(const struct check *check, const struct sn__xml_node *node, const char *name) {
    for (int i = 0; i < check->count; i++)
        if (strcmp(check->told_in[i]->name, node->name) == 0 && strcmp(check->told[i], name) == 0)
            return true;
    return false;
}

static void check_attribute(struct check *check, const struct known *known, const struct sn__xml_node *node,
                            const char *name) {
    const char *word, *list = known->attributes, *nearest = NULL;
    size_t length, size = strlen(name), nearest_length = 0;
    int least = 3;
    for (; (word = next_word(list, &length)); list = word + length) {
        if (length == size && memcmp(word, name, size) == 0) return;
        const int far = distance(name, size, word, length);
        if (far < least && far < (int)length) least = far, nearest = word, nearest_length = length;
    }
    if (strchr(name, ':') || strncmp(name, "xmlns", 5) == 0 || check->count == MOST ||
        was_told(check, node, name))
        return;
    check->told_in[check->count] = node;
    check->told[check->count++] = name;
    char hint[LONGEST + 32] = "";
    if (nearest) snprintf(hint, sizeof hint, " Did you mean '%.*s'?", (int)nearest_length, nearest);
    sn__warn(check->options, "%s:%d: <%.64s> attribute '%.64s' is not known and is passed over.%s",
             node->file, node->line, node->name, name, hint);
}

static void check_nodes(struct check *check, const struct sn__xml_node *node) {
    for (; node; node = node->next) {
        const struct known *known = check->known;
        while (known->element && strcmp(known->element, node->name) != 0)
            known++;
        if (known->element && !known->attributes) continue;
        const struct sn__xml_attribute *a = known->element ? node->attribute : NULL;
        for (; a; a = a->next)
            check_attribute(check, known, node, a->name);
        check_nodes(check, node->child);
    }
}

void sn__mjcf_warn_attributes(const struct sn__xml_node *root, const sn_load_def *options) {
    struct check check = {.known = MJCF, .options = options};
    if (options && options->warn) check_nodes(&check, root);
}

void sn__urdf_warn_attributes(const struct sn__xml_node *root, const sn_load_def *options) {
    struct check check = {.known = URDF, .options = options};
    if (options && options->warn) check_nodes(&check, root);
}
