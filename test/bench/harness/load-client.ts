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

const runConnection = (job: LoadJob, tally: Tally, offset: number): Promise<void> =>
  new Promise((resolve) => {
    const nextMessage = createMessageSource(job.messages, offset);
    const read = createAnswerReader((statusLine) => {
      if (!statusLine.startsWith("HTTP/1.1 2")) tally.failure ??= statusLine;
      if (tally.isOver) socket.end();
      else {
        tally.answers++;
        socket.write(nextMessage());
      }
    });
    const onread = {
      buffer: Buffer.allocUnsafe(65_536),
      callback: (length: number, bytes: Uint8Array): boolean => {
        read(Buffer.from(bytes.buffer, bytes.byteOffset, length));
        return true;
      },
    };
    const socket = connect({ port: job.port, host: "127.0.0.1", noDelay: true, onread });
    socket.once("connect", () => socket.write(nextMessage()));
    socket.once("error", (error) => {
      tally.failure ??= error.message;
    });
    socket.once("close", () => {
      if (!tally.isOver) tally.failure ??= "the server closed a connection";
      resolve();
    });
  });

const runLoad = async (job: LoadJob): Promise<LoadReport> => {
  const tally: Tally = { answers: 0, isOver: false };
  const start = performance.now();
  let seconds = 0;
  setTimeout(() => {
    tally.isOver = true;
    seconds = (performance.now() - start) / 1000;
  }, job.seconds * 1000);
  const spread = job.messages.length / job.connections;
  await Promise.all(Array.from({ length: job.connections }, (_, index) => runConnection(job, tally, Math.floor(index * spread))));
  return { answers: tally.answers, seconds, failure: tally.failure };
};

process.on("message", (job: LoadJob) => {
  runLoad(job).then((report) => process.send?.(report));
});
