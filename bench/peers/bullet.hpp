/* What the files of the Bullet program share: Bullet's world and what is kept beside it. */
#ifndef SINEW_BENCH_BULLET_HPP
#define SINEW_BENCH_BULLET_HPP

#include "peer.h"

#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyFixedConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodySphericalJointMotor.h>
#include <btBulletDynamicsCommon.h>

#include <Eigen/Dense>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

using Matrix = Eigen::Matrix<btScalar, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<btScalar, Eigen::Dynamic, 1>;

/* Everything about one body that Bullet does not keep, and its part of the mass matrix. */
struct Body {
    btQuaternion axes; /* principal axes in the body's frame */
    btVector3 com, inertia;
    btQuaternion turn; /* target, as Bullet has the joint */
    btVector3 point;
    btScalar angle, kp, kd;
    btMatrix3x3 rotation, moment; /* to the world; composite, about the root's centre of mass */
    btVector3 centre, first;      /* from there; composite mass times centre */
    btScalar mass;
    btVector3 axis[3], lever[3]; /* of each degree of freedom: turning, and velocity at the root's centre */
};

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
};

struct Scene {
    peer_options options;
    peer_tree tree;
    std::unique_ptr<World> world; /* null: neither ground nor motors */
    std::unique_ptr<btMultiBody> body;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::unique_ptr<btRigidBody> ground;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> motors;
    std::vector<Body> part;
    Matrix mass, factored;
    Vector before, found, force, diagonal;
    int pushed = 0;
    btVector3 push{0, 0, 0};
    btAlignedObjectArray<btScalar> scratch_r;
    btAlignedObjectArray<btVector3> scratch_v;
    btAlignedObjectArray<btMatrix3x3> scratch_m;
    btAlignedObjectArray<btQuaternion> scratch_q;
};

inline btVector3 vector_of(const double v[3]) {
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

inline btQuaternion quaternion_of(const double q[4]) {
    return btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0]));
}

inline bool is_method(const Scene &s, const char *name) {
    return std::strcmp(s.options.method, name) == 0;
}

/* bullet_build.cpp */
void add_body(Scene &s);
void add_colliders(Scene &s);
void add_ground(Scene &s);
void add_motors(Scene &s);

/* bullet_mass.cpp: fills the lower triangle of s.mass. */
void mass_matrix(Scene &s);

#endif
