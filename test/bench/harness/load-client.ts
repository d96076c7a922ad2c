/**
 * The load generator: a process of its own, keep-alive connections, one request in flight on each. It reads of an
 * answer only what it must (status, end), so that one core of it saturates one core of server.
 */
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { type LoadJob, type LoadReport, uniquePlaceholder } from "./load-job.ts";

interface Tally {
  answers: number;
  failure?: string;
  isOver: boolean;
}

const lastChunk = "\r\n0\r\n\r\n";

const lastBytes = (bytes: Buffer): string => bytes.toString("latin1", Math.max(0, bytes.length - lastChunk.length));

/** Calls back with the status line of each answer once its last byte is there. */
const createAnswerReader = (onAnswer: (statusLine: string) => void): ((bytes: Buffer) => void) => {
  let statusLine = "";
  let missing = 0;
  let tail = "";
  const finishIfWhole = (): void => {
    if (missing > 0 || (tail !== "" && tail !== lastChunk)) return;
    missing = 0;
    tail = "";
    const line = statusLine;
    statusLine = "";
    onAnswer(line);
  };
  return (bytes) => {
    if (statusLine === "") {
      const headEnd = bytes.indexOf("\r\n\r\n");
      if (headEnd < 0) throw new Error("the head of an answer came in pieces");
      const head = bytes.toString("latin1", 0, headEnd);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      statusLine = head.slice(0, head.indexOf("\r\n"));
      missing = length === undefined ? 0 : Number(length) - (bytes.length - headEnd - 4);
      if (length === undefined) tail = lastBytes(bytes);
    } else if (tail === "") missing -= bytes.length;
    else tail = (tail + lastBytes(bytes)).slice(-lastChunk.length);
    finishIfWhole();
  };
};

/** Gives each message once, to whichever connection asks; undefined after the last. */
const createSingleUseSource = (messages: readonly string[]): (() => Buffer | undefined) => {
  const buffers = messages.map((message) => Buffer.from(message, "latin1"));
  let sent = 0;
  return () => buffers[sent++];
};

/** Gives the next request to send; each connection has its own, as the unique part is written in place. */
const createMessageSource = (messages: readonly string[], offset: number): (() => Buffer) => {
  const buffers = messages.map((message) => Buffer.from(message, "latin1"));
  const places = buffers.map((buffer) => buffer.indexOf(uniquePlaceholder));
  const prefix = randomUUID().replaceAll("-", "").slice(0, 20);
  let sent = 0;
  return () => {
    const index = (offset + sent++) % buffers.length;
    const buffer = buffers[index] as Buffer;
    const place = Number(places[index]);
    if (place >= 0) buffer.write(prefix + String(sent).padStart(uniquePlaceholder.length - prefix.length, "0"), place, "latin1");
    return buffer;
  };
};

const runConnection = (port: number, tally: Tally, nextMessage: () => Buffer | undefined): Promise<void> =>
  new Promise((resolve) => {
    const sendNext = (): void => {
      const message = nextMessage();
      if (message === undefined) end();
      else socket.write(message);
    };
    const end = (): void => {
      hasEnded = true;
      socket.end();
    };
    let hasEnded = false;
    const read = createAnswerReader((statusLine) => {
      if (!statusLine.startsWith("HTTP/1.1 2")) tally.failure ??= statusLine;
      if (tally.isOver) return end();
      tally.answers++;
      sendNext();
    });
    const onread = {
      buffer: Buffer.allocUnsafe(65_536),
      callback: (length: number, bytes: Uint8Array): boolean => {
        read(Buffer.from(bytes.buffer, bytes.byteOffset, length));
        return true;
      },
    };
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread });
    socket.once("connect", sendNext);
    socket.once("error", (error) => {
      tally.failure ??= error.message;
    });
    socket.once("close", () => {
      if (!tally.isOver && !hasEnded) tally.failure ??= "the server closed a connection";
      resolve();
    });
  });

const runLoad = async (job: LoadJob): Promise<LoadReport> => {
  const tally: Tally = { answers: 0, isOver: false };
  const spread = job.messages.length / job.connections;
  const once = job.isSingleUse ? createSingleUseSource(job.messages) : undefined;
  const start = performance.now();
  const elapsed = (): number => (performance.now() - start) / 1000;
  let seconds = 0;
  const timer = setTimeout(() => {
    if (once !== undefined) return;
    tally.isOver = true;
    seconds = elapsed();
  }, job.seconds * 1000);
  const connections = Array.from({ length: job.connections }, (_, index) =>
    runConnection(job.port, tally, once ?? createMessageSource(job.messages, Math.floor(index * spread))),
  );
  await Promise.all(connections);
  clearTimeout(timer);
  return { answers: tally.answers, seconds: once === undefined ? seconds : elapsed(), failure: tally.failure };
};

process.on("message", (job: LoadJob) => {
  runLoad(job).then((report) => process.send?.(report));
});
