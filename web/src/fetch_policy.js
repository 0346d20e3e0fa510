/* The bytes of a policy at an address. An address may be anybody's: the file must come within a time and be smaller than a bound,
 * and no more of it is read than that. The page's content security policy allows only addresses of its own server. */
import { mostPolicyBytes } from "./learn_core.js";

export async function fetchPolicy(address, { most = mostPolicyBytes, seconds = 20 } = {}) {
    const stop = new AbortController(), timer = setTimeout(() => stop.abort(), 1000 * seconds);
    try {
        const response = await fetch(address, { signal: stop.signal, credentials: "omit", referrerPolicy: "no-referrer" });
        if (!response.ok) throw new Error(`the policy cannot be loaded (${response.status})`);
        const parts = [];
        let size = 0;
        for (const reader = response.body.getReader(); ; ) {
            const { done, value } = await reader.read();
            if (done) break;
            size += value.length;
            if (size > most) throw new Error(`the policy is larger than ${most >> 20} MB`);
            parts.push(value);
        }
        return new Uint8Array(await new Blob(parts).arrayBuffer());
    } catch (error) {
        throw stop.signal.aborted ? new Error(`the policy did not come within ${seconds} s`) : error;
    } finally {
        stop.abort(); /* nothing more is read */
        clearTimeout(timer);
    }
}
