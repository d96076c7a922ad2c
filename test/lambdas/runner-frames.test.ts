import { expect, test } from "vitest";
import { encodeFrames, FrameReader, frame } from "../../adapters/runners/lambda-guest/frames.js";

const frames = [
  frame("ready"),
  frame("call", 4_294_967_295, 7, ['{"jwt":{"name":"é\u2028\u{1f511}"}}']),
  frame("define", 1, 0, ["", "x".repeat(100_000), "\n", "end"]),
  frame("answer", 2, 4_294_967_295, [""]),
];

test.each([1, 3, 17, 65_536, 1_000_000])("frames are found in chunks of %i bytes", (size) => {
  const bytes = encodeFrames(frames);
  const reader = new FrameReader(200_000);
  const chunk = Buffer.alloc(Math.min(size, bytes.length));
  const found = [];
  for (let start = 0; start < bytes.length; start += size) {
    // The same memory for every chunk, as a guest reads.
    const length = bytes.copy(chunk, 0, start, start + size);
    found.push(...reader.push(chunk.subarray(0, length)));
  }
  expect(found).toEqual(frames);
});

test("a frame that is too long, too short or of no known kind is an error", () => {
  const bytes = encodeFrames([frame("answer", 1, 0, ["x".repeat(100)])]);
  expect(() => new FrameReader(50).push(bytes)).toThrow(RangeError);
  expect(new FrameReader(200).push(bytes)).toHaveLength(1);
  const unknown = Buffer.from(bytes);
  unknown.writeUInt16LE(99, 4);
  expect(() => new FrameReader(200).push(unknown)).toThrow(RangeError);
  expect(() => new FrameReader(200).push(Buffer.alloc(16))).toThrow(RangeError);
});
