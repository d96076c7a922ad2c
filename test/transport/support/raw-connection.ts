import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A response read off a socket, head and body. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which a test writes bytes itself: what no well-behaved client would send. */
export class RawConnection implements AsyncDisposable {
  readonly #socket: Socket;
  #received = "";
  #isEnded = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      this.#received += String(text);
      this.#wake();
    });
    socket.on("close", () => {
      this.#isEnded = true;
      this.#wake();
    });
    // A reset is an end like any other: what came before it is what counts.
    socket.on("error", () => undefined);
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  /** Writes lines, each ended by CRLF, and an empty one behind them: a request's head. */
  writeHead(...lines: readonly string[]): void {
    this.write(`${[...lines, "host: localhost"].join("\r\n")}\r\n\r\n`);
  }

  /** Reads nothing any more: what the other end sends waits there. */
  pause(): void {
    this.#socket.pause();
  }

  write(text: string): void {
    this.#socket.write(text);
  }

  /** The next response; its length must be announced, as all of ours is. */
  async readResponse(): Promise<RawResponse> {
    const head = await this.#take(() => {
      const end = this.#received.indexOf("\r\n\r\n");
      return end < 0 ? undefined : end + 4;
    });
    const [statusLine = "", ...lines] = head.trimEnd().split("\r\n");
    const pairs = lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]);
    const headers = new Map(pairs as [string, string][]);
    if (new Set(headers.keys()).size !== lines.length) throw new Error(`A header came twice: ${head}`);
    const length = Number(headers.get("content-length") ?? 0);
    const body = await this.#take(() => (this.#received.length >= length ? length : undefined));
    return { status: Number(statusLine.split(" ")[1]), headers, body };
  }

  /** Resolves when the other side has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#isEnded) await this.#more();
  }

  /** Cuts the connection, as a client that goes away does. */
  abort(): void {
    this.#socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    await this.closed();
  }

  async #take(length: () => number | undefined): Promise<string> {
    for (;;) {
      const count = length();
      if (count !== undefined) {
        const taken = this.#received.slice(0, count);
        this.#received = this.#received.slice(count);
        return taken;
      }
      if (this.#isEnded) throw new Error(`The connection ended after ${JSON.stringify(this.#received)}.`);
      await this.#more();
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
