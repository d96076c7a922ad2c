import { readSync } from "node:fs";
import { FrameReader } from "./frames.ts";
import { ReplyBatch } from "./reply-batch.ts";
import type { GuestLine } from "./serve.ts";

const hostLine = 0;
const maxFrameBytes = 2 ** 31;

/** The channel of a guest process: it reads standard input and writes to the pipe that the host has opened for it. */
export function openProcessLine(): GuestLine {
  const chunk = Buffer.allocUnsafeSlow(65_536);
  const reader = new FrameReader(maxFrameBytes);
  const held = new ReplyBatch();
  return {
    receive() {
      for (;;) {
        const length = readSync(hostLine, chunk);
        if (length === 0) return undefined;
        const frames = reader.push(chunk.subarray(0, length));
        if (frames.length > 0) return frames;
      }
    },
    send: (frame) => held.send(frame),
    hold: (frame, now) => held.hold(frame, now),
    flush: () => held.flush(),
    mark: (id) => held.mark(id),
    workedMilliseconds() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
  };
}
