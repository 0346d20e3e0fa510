/* The worker of a crowd (crowd_remote.js): steps it, and answers each order to step with what is drawn. */
export function crowdShow(module, engine, say) {
    let scene = null;
    const costs = []; /* s that a step took, of the last orders */
    const send = () => {
        scene.look();
        const pose = scene.pose.slice(), sorted = [...costs].sort((a, b) => a - b);
        say({ pose, time: scene.time, diverged: scene.diverged, lanes: scene.lanes, stepTime: sorted[sorted.length >> 1] ?? 0 }, [pose.buffer]);
    };
    return {
        make({ model, motion, files, scene: options }) {
            for (const [name, bytes] of Object.entries(files)) engine.writeFile(name, bytes);
            scene = engine.subject(model, motion).scene(options);
            send();
        },
        step(count) {
            const began = performance.now();
            scene.step(count);
            costs.push((performance.now() - began) / 1000 / count);
            if (costs.length > 31) costs.shift();
            send();
        },
        gains: (gains) => scene.setGains(gains),
        reaction: (on) => scene.setReaction(on),
        push: (way) => scene.push(...way),
    };
}
