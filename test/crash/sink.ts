import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the receiver at the path `/` got and accepted. Others, which are removed, may get the same events. */
export interface Accepted {
  readonly eventId: string;
  /** The type of the event and the id of what it is about. */
  readonly about: string;
  /** When it was answered, on the clock of `performance.now`. */
  readonly time: number;
  /** Whether the sender was still connected, and can know the answer. */
  readonly isAnswered: boolean;
}

/** A receiver that accepts most events, and refuses, drops or delays the others. */
export interface FlappingSink {
  readonly url: string;
  readonly accepted: readonly Accepted[];
  close(): void;
}

interface Event {
  readonly id: string;
  readonly linkedObjectId: string;
  readonly type: string;
}

const answers: readonly ((response: ServerResponse, accept: () => void) => void)[] = [
  (response, accept) => finish(response, accept, 200),
  (response, accept) => finish(response, accept, 204),
  (response, accept) => void setTimeout(() => finish(response, accept, 200), Math.random() * 300),
  (response) => finish(response, () => undefined, 500),
  (response) => void response.socket?.destroy(),
];

function finish(response: ServerResponse, accept: () => void, status: number): void {
  accept();
  response.writeHead(status).end();
}

/** Starts a flapping receiver on the loopback address. */
export async function startFlappingSink(): Promise<FlappingSink> {
  const accepted: Accepted[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      const { event }: { readonly event: Event } = JSON.parse(body);
      const about = `${event.type} ${event.linkedObjectId}`;
      const accept = (): void => {
        if (request.url === "/")
          accepted.push({
            eventId: event.id,
            about,
            time: performance.now(),
            isAnswered: !request.destroyed && !response.destroyed,
          });
      };
      answers[Math.floor(Math.random() * answers.length)]?.(response, accept);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    accepted,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
