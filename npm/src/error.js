/* A failure: `status` is the library's ("argument", "model", "file" ...), `message` its sentence. */
export class SinewError extends Error {
    constructor(status, message) {
        super(message);
        this.name = "SinewError";
        this.status = status;
    }
}
