"""A humanoid stands on the ground, is pushed, and stays up."""
import sinew

model = sinew.Model.builtin("humanoid")
world = sinew.World()
human = world.add(model)
world.plane()
human.gains = model.gains(frequency=8)
human.q = human.target = human.stand()

world.step(240)
human.push("pelvis", force=(60, 0, 0))
world.step(24)
human.push("pelvis")
world.step(240)

knee = model.bodies["left_shin"]
print("after %.1f s the pelvis is %.2f m high" % (world.time, human.q[2]))
print("the left knee is at", human.q[knee.q].round(2))
print("the ground carries %.0f N of %.0f N" % (world.contacts()["force"][:, 2].sum(), 9.81 * model.mass))
