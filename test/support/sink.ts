import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request to a sink. */
export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on the loopback address that records its requests, for one test. */
export interface Sink {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Starts a sink; `answer` writes its responses, by default 201 without a body. */
export async function startSink(
  answer: RequestListener = (_request, response) => void response.writeHead(201).end(),
): Promise<Sink> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
