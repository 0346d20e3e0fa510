/* DART behind peer.h. The model is a tree that `peer_sinew MODEL --write TREE` wrote.
 *
 *   damping  kd is joint damping, which DART's articulated-body algorithm takes implicitly, and the position force
 *            -kp (e + h qd) is applied: stable PD, exactly and in linear time
 *   spring   kp is a joint spring as well, implicit too; its error is a difference of coordinates
 *   dense    mass matrix, Cholesky, and the torque of stable PD
 *
 * On the ground the contact impulses are found without the gains in every method. Without it the world is left out:
 * a skeleton steps faster alone. */
#include "peer.h"

#include <dart/collision/CollisionDetector.hpp>
#include <dart/config.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace dart::dynamics;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Drive {
    int joint, v; /* enum peer_joint; its place in the skeleton's coordinates, which is that in qd */
    Joint *in;
    double kp, kd;
    Vector3d point; /* target */
    Eigen::Quaterniond turn;
    double angle;
};

struct Scene {
    peer_options options;
    peer_tree tree;
    SkeletonPtr skeleton;
    dart::simulation::WorldPtr world; /* null: no ground */
    std::vector<Drive> drive;
    VectorXd force, diagonal;
    Eigen::LLT<Eigen::MatrixXd> factor;
    int pushed = 0;
    Vector3d push = Vector3d::Zero();
};

Scene &scene_of(void *self) {
    return *static_cast<Scene *>(self);
}

Vector3d vector_of(const double v[3]) {
    return Vector3d(v[0], v[1], v[2]);
}

Eigen::Quaterniond quaternion_of(const double q[4]) {
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
}

Eigen::Isometry3d transform_of(const double pos[3], const double rot[4]) {
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    t.translate(vector_of(pos));
    t.rotate(quaternion_of(rot));
    return t;
}

/* -------------------------------------------------------------------------------------------------- model */

BodyNode *add_body(const SkeletonPtr &skeleton, BodyNode *parent, const peer_body &b) {
    BodyNode::Properties body;
    body.mName = b.name;
    body.mInertia = Inertia(b.mass, b.com[0], b.com[1], b.com[2], b.inertia[0], b.inertia[1], b.inertia[2],
                            b.inertia[3], b.inertia[4], b.inertia[5]);
    const std::string name = std::string(b.name) + "_joint";
    if (b.joint == PEER_FREE) {
        FreeJoint::Properties joint;
        joint.mName = name;
        return skeleton->createJointAndBodyNodePair<FreeJoint>(parent, joint, body).second;
    }
    if (b.joint == PEER_BALL) {
        BallJoint::Properties joint;
        joint.mName = name;
        joint.mT_ParentBodyToJoint = transform_of(b.pos, b.rot);
        return skeleton->createJointAndBodyNodePair<BallJoint>(parent, joint, body).second;
    }
    if (b.joint == PEER_HINGE) {
        RevoluteJoint::Properties joint;
        joint.mName = name;
        joint.mAxis = vector_of(b.axis);
        joint.mT_ParentBodyToJoint = transform_of(b.pos, b.rot);
        return skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second;
    }
    peer_die("free, ball and hinge joints, please", b.name);
}

ShapePtr make_shape(const peer_shape &s) {
    if (s.form == PEER_SPHERE) return std::make_shared<SphereShape>(s.size[0]);
    if (s.form == PEER_CAPSULE) return std::make_shared<CapsuleShape>(s.size[0], 2 * s.size[1]);
    return std::make_shared<BoxShape>(2 * vector_of(s.size));
}

void add_shapes(Scene &s) {
    for (int i = 0; i < s.tree.nshape; i++) {
        const peer_shape &shape = s.tree.shape[i];
        auto *node = s.skeleton->getBodyNode(std::size_t(shape.body))
                         ->createShapeNodeWith<CollisionAspect, DynamicsAspect>(make_shape(shape));
        node->setRelativeTransform(transform_of(shape.pos, shape.rot));
        node->getDynamicsAspect()->setFrictionCoeff(1);
        node->getDynamicsAspect()->setRestitutionCoeff(0);
    }
    s.skeleton->disableSelfCollisionCheck();
}

/* Bullet's collision detector is the fastest of DART's that know capsules and planes. */
void add_ground(Scene &s) {
    auto ground = Skeleton::create("ground");
    auto *body = ground->createJointAndBodyNodePair<WeldJoint>().second;
    auto *node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(
        std::make_shared<PlaneShape>(Vector3d::UnitZ(), 0.0));
    node->getDynamicsAspect()->setFrictionCoeff(1);
    ground->setMobile(false);
    s.world = dart::simulation::World::create();
    s.world->getConstraintSolver()->setCollisionDetector(
        dart::collision::CollisionDetector::getFactory()->create("bullet"));
    s.world->setGravity(Vector3d(0, 0, -9.81));
    s.world->setTimeStep(s.options.dt);
    s.world->addSkeleton(s.skeleton);
    s.world->addSkeleton(ground);
}

/* ------------------------------------------------------------------------------------------------- drives */

bool is_method(const Scene &s, const char *name) {
    return std::strcmp(s.options.method, name) == 0;
}

void add_drives(Scene &s) {
    for (int i = 0; i < s.tree.nbody; i++) {
        const peer_body &b = s.tree.body[i];
        Joint *joint = s.skeleton->getJoint(std::size_t(i));
        const double kp = peer_kp(&s.options, &b), kd = peer_kd(&s.options, &b);
        s.drive.push_back({b.joint, b.v, joint, kp, kd, Vector3d::Zero(), Eigen::Quaterniond::Identity(), 0});
        for (int k = 0; k < peer_nv(b.joint); k++) {
            s.diagonal[b.v + k] = s.options.dt * kd;
            if (!is_method(s, "dense")) joint->setDampingCoefficient(std::size_t(k), kd);
            if (is_method(s, "spring")) joint->setSpringStiffness(std::size_t(k), kp);
        }
    }
}

/* Rotation vector, in the child's axes, from the target to the joint as it is. */
Vector3d turn_error(const Eigen::Quaterniond &target, const Eigen::Matrix3d &now) {
    const Eigen::Quaterniond q(now);
    const double t[4] = {target.w(), target.x(), target.y(), target.z()}, p[4] = {q.w(), q.x(), q.y(), q.z()};
    double e[3];
    peer_quat_error(t, p, e);
    return vector_of(e);
}

/* force = -kp (e + h qd). A free joint's coordinates are turn and translation of its own axes, in this order. */
void position_forces(Scene &s) {
    const double h = s.options.dt;
    const VectorXd qd = s.skeleton->getVelocities();
    for (const Drive &d : s.drive) {
        if (d.kp == 0) continue;
        const int nv = peer_nv(d.joint);
        if (d.joint == PEER_HINGE) {
            s.force[d.v] = -d.kp * (d.in->getPosition(0) - d.angle + h * qd[d.v]);
            continue;
        }
        const Eigen::Isometry3d &now = d.in->getRelativeTransform();
        if (d.joint == PEER_BALL) {
            const Eigen::Matrix3d turned =
                d.in->getTransformFromParentBodyNode().linear().transpose() * now.linear();
            s.force.segment<3>(d.v) = -d.kp * turn_error(d.turn, turned);
        } else {
            s.force.segment<3>(d.v) = -d.kp * turn_error(d.turn, now.linear());
            s.force.segment<3>(d.v + 3) = -d.kp * (now.linear().transpose() * (now.translation() - d.point));
        }
        s.force.segment(d.v, nv) -= d.kp * h * qd.segment(d.v, nv);
    }
}

/* (M + h kd) qdd = -kp (e + h qd) - kd qd - C */
VectorXd dense_acceleration(Scene &s) {
    Eigen::MatrixXd m = s.skeleton->getMassMatrix();
    m.diagonal() += s.diagonal;
    s.factor.compute(m);
    const VectorXd damping = s.diagonal.cwiseProduct(s.skeleton->getVelocities()) / s.options.dt;
    return s.factor.solve(s.force - damping - s.skeleton->getCoriolisAndGravityForces());
}

/* Either sets the forces of the coming step, or, where nothing else acts, the accelerations themselves. */
void apply_drives(Scene &s) {
    const double h = s.options.dt;
    if (is_method(s, "spring")) return;
    position_forces(s);
    if (is_method(s, "dense")) {
        const VectorXd qdd = dense_acceleration(s);
        if (!s.world) {
            s.skeleton->setAccelerations(qdd);
            return;
        }
        s.force -= s.diagonal.cwiseProduct(s.skeleton->getVelocities() / h + qdd);
    }
    s.skeleton->setForces(s.force);
}

/* ------------------------------------------------------------------------------------------------- engine */

void *create(const peer_options *options, peer_tree *tree) {
    auto *s = new Scene;
    s->options = *options;
    peer_read_tree(tree, options->model);
    s->tree = *tree;
    s->skeleton = Skeleton::create("character");
    for (int i = 0; i < tree->nbody; i++) {
        const peer_body &b = tree->body[i];
        add_body(s->skeleton, b.parent < 0 ? nullptr : s->skeleton->getBodyNode(std::size_t(b.parent)), b);
    }
    s->skeleton->setGravity(Vector3d(0, 0, -9.81));
    s->skeleton->setTimeStep(options->dt);
    s->force = VectorXd::Zero(tree->nv);
    s->diagonal = VectorXd::Zero(tree->nv);
    add_drives(*s);
    if (options->ground) {
        add_shapes(*s);
        add_ground(*s);
    }
    return s;
}

void destroy(void *self) {
    delete &scene_of(self);
}

void start(void *self, const double *q, const double *qd) {
    Scene &s = scene_of(self);
    for (int i = 0; i < s.tree.nbody; i++) {
        const peer_body &b = s.tree.body[i];
        Joint *joint = s.drive[std::size_t(i)].in;
        if (b.joint == PEER_HINGE) {
            joint->setPosition(0, q[b.q]);
            joint->setVelocity(0, qd[b.v]);
        } else if (b.joint == PEER_BALL) {
            joint->setPositions(BallJoint::convertToPositions(quaternion_of(q + b.q).toRotationMatrix()));
            joint->setVelocities(vector_of(qd + b.v));
        } else {
            const Eigen::Isometry3d t = transform_of(q + b.q, q + b.q + 3);
            Eigen::Vector6d twist;
            twist << vector_of(qd + b.v + 3), t.linear().transpose() * vector_of(qd + b.v);
            joint->setPositions(FreeJoint::convertToPositions(t));
            joint->setVelocities(twist);
        }
    }
    s.skeleton->setAccelerations(VectorXd::Zero(s.tree.nv));
    s.push = Vector3d::Zero();
    if (s.world) s.world->getConstraintSolver()->clearLastCollisionResult();
}

void write_quaternion(const Eigen::Matrix3d &r, double q[4]) {
    const Eigen::Quaterniond turned(r);
    q[0] = turned.w(), q[1] = turned.x(), q[2] = turned.y(), q[3] = turned.z();
}

void state(void *self, double *q) {
    Scene &s = scene_of(self);
    for (int i = 0; i < s.tree.nbody; i++) {
        const peer_body &b = s.tree.body[i];
        const Joint *joint = s.drive[std::size_t(i)].in;
        if (b.joint == PEER_HINGE) q[b.q] = joint->getPosition(0);
        if (b.joint == PEER_BALL)
            write_quaternion(BallJoint::convertToRotation(joint->getPositions()), q + b.q);
        if (b.joint == PEER_FREE) {
            const Eigen::Isometry3d t = FreeJoint::convertToTransform(joint->getPositions());
            Eigen::Map<Vector3d> position(q + b.q);
            position = t.translation();
            write_quaternion(t.linear(), q + b.q + 3);
        }
    }
}

void target(void *self, const double *q) {
    Scene &s = scene_of(self);
    for (int i = 0; i < s.tree.nbody; i++) {
        const peer_body &b = s.tree.body[i];
        Drive &d = s.drive[std::size_t(i)];
        VectorXd rest = VectorXd::Zero(peer_nv(b.joint));
        if (b.joint == PEER_HINGE) rest[0] = d.angle = q[b.q];
        if (b.joint == PEER_BALL) {
            d.turn = quaternion_of(q + b.q);
            rest = BallJoint::convertToPositions(d.turn.toRotationMatrix());
        }
        if (b.joint == PEER_FREE) {
            d.point = vector_of(q + b.q);
            d.turn = quaternion_of(q + b.q + 3);
            rest = FreeJoint::convertToPositions(transform_of(q + b.q, q + b.q + 3));
        }
        if (!is_method(s, "spring")) continue;
        for (int k = 0; k < peer_nv(b.joint); k++)
            d.in->setRestPosition(std::size_t(k), rest[k]);
    }
}

void push(void *self, int body, const double force[3]) {
    scene_of(self).pushed = body;
    scene_of(self).push = vector_of(force);
}

bool step(void *self) {
    Scene &s = scene_of(self);
    apply_drives(s);
    if (s.world) {
        if (!s.push.isZero())
            s.skeleton->getBodyNode(std::size_t(s.pushed))->addExtForce(s.push, Vector3d::Zero(), false);
        s.world->step();
    } else {
        if (!is_method(s, "dense")) s.skeleton->computeForwardDynamics();
        s.skeleton->integrateVelocities(s.options.dt);
        s.skeleton->integratePositions(s.options.dt);
    }
    return s.skeleton->getVelocities().allFinite();
}

void look(void *self, peer_look *seen) {
    Scene &s = scene_of(self);
    if (!s.world) return;
    const auto &contacts = s.world->getLastCollisionResult().getContacts();
    seen->contacts = int(contacts.size());
    seen->rows = 3 * seen->contacts;
    for (const auto &contact : contacts)
        seen->penetration = std::max(seen->penetration, contact.penetrationDepth);
}

Eigen::Matrix3d root_rotation(const Drive &d) {
    return d.in->getRelativeTransform().linear();
}

void load(void *self, const double *tau) {
    Scene &s = scene_of(self);
    for (const Drive &d : s.drive)
        for (int k = 0; k < peer_nv(d.joint); k++)
            s.force[d.v + k] = tau[d.v + k];
    for (const Drive &d : s.drive)
        if (d.joint == PEER_FREE) {
            s.force.segment<3>(d.v) = vector_of(tau + d.v + 3);
            s.force.segment<3>(d.v + 3) = root_rotation(d).transpose() * vector_of(tau + d.v);
        }
    s.skeleton->setForces(s.force);
}

void forward(void *self) {
    scene_of(self).skeleton->computeForwardDynamics();
}

/* A free joint has velocities in its own axes: a = R (v' + w x v). */
void acceleration(void *self, double *qdd) {
    Scene &s = scene_of(self);
    const VectorXd found = s.skeleton->getAccelerations();
    Eigen::Map<VectorXd>(qdd, s.tree.nv) = found;
    for (const Drive &d : s.drive)
        if (d.joint == PEER_FREE) {
            const Eigen::VectorXd v = d.in->getVelocities();
            const Vector3d turning = v.head<3>(), moving = v.tail<3>();
            Eigen::Map<Vector3d>(qdd + d.v + 3) = found.segment<3>(d.v);
            Eigen::Map<Vector3d>(qdd + d.v) =
                root_rotation(d) * (found.segment<3>(d.v + 3) + turning.cross(moving));
        }
}

const char *version() {
    return DART_VERSION;
}

const char *const methods[] = {"damping", "spring", "dense", nullptr};

const peer_engine engine = {"dart", "double", version, methods, 1e-6, create, destroy, start,
                            state,  target,   push,    step,    look, load,   forward, acceleration};

} // namespace

int main(int argc, char **argv) {
    return peer_main(&engine, argc, argv);
}
