import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { normalizeMessage, readMessage } from "./messages.js";

/** Limits of bytes and messages that one login reads. */
const maxBytes = 1_048_576;
const maxMessages = 100;

/**
 * A connection that passes complete, validated messages to the library, one at a time. It disconnects a server that sends
 * anything else or too much.
 */
export class MessageStream extends Duplex {
  /** The library expects a connected socket. */
  readonly connecting = false;
  readonly readyState = "open";
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #bytes = 0;
  #messages = 0;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  #take(bytes: Buffer): void {
    try {
      this.#bytes += bytes.length;
      if (this.#bytes > maxBytes) throw new Error("The server sent too much.");
      this.#rest = Buffer.concat([this.#rest, bytes]);
      for (let message = readMessage(this.#rest, maxBytes); message !== undefined; message = readMessage(this.#rest, maxBytes)) {
        if (++this.#messages > maxMessages) throw new Error("The server sent too many messages.");
        this.#rest = this.#rest.subarray(message.length);
        const reduced = normalizeMessage(message);
        if (reduced !== undefined) this.push(reduced);
      }
    } catch (error) {
      this.destroy(error instanceof Error ? error : undefined);
    }
  }

  override _read(): void {
    // The socket is in flowing mode: the limits bound its data.
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroySoon();
    done(error);
  }
}
