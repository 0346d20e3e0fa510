/* The worker of the page drive/: steps the characters, and sends what is drawn. */
import { Company, Drive } from "./drive_core.js";
import { runClock } from "./clock.js";

export function driveShow(module, engine, say) {
    let drive = null, nbody = 0, led = 0, manner = "stand", company = null, steps = 0, pose = null;
    const send = () => {
        const { pose: now, balls, modes } = drive.look(nbody);
        pose = now.slice();
        say({ pose: now, balls, modes, humans: drive.humans, crates: drive.crates, steps }, [now.buffer]);
    };
    const step = (count) => {
        for (let left = count; left > 0; left -= 24) {
            company.act(drive, nbody, pose, led, manner);
            drive.step(Math.min(24, left));
            pose = drive.look(nbody).pose;
        }
        steps += count;
        send();
    };
    const clock = runClock(() => drive?.rate, step);
    const orders = {
        make(options) {
            drive?.free();
            drive = null;
            const subject = engine.subject("humanoid", "");
            nbody = subject.nbody;
            say({ body: subject.model, crate: module._drive_crate_size(), ball: module._play_ball_radius() });
            subject.free();
            drive = new Drive(module, options);
            company = new Company();
            led = steps = 0;
            send();
        },
        run: clock.run,
        step,
        lead: (i) => (led = i),
        others: (name) => (manner = name),
        stick: (stick) => drive.stick(led, stick),
        letGo: () => drive.letGo(led),
        stand: (i) => drive.stand(i ?? led),
        push: ([i, body, way, speed]) => drive.push(i, body, way, speed),
        ball: ([from, velocity]) => drive.throwBall(from, velocity),
    };
    return orders;
}
