import type { ByteStream } from "latchkey/ports";

const chunkBytes = 65_536;

/** A body in parts that are asked for as the client reads it; `sent` is called once it was read, or is not wanted any more. */
export function toStream(body: string | Uint8Array, sent: () => void): ReadableStream<Uint8Array> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  let position = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(position, position + chunkBytes));
      position += chunkBytes;
      if (position < bytes.length) return;
      sent();
      controller.close();
    },
    cancel: sent,
  });
}

/** A body that is made part by part, each when the client has read the one before. */
export function toReadableStream(stream: ByteStream, sent: (() => void) | undefined): ReadableStream<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const step = await iterator.next().catch((error: unknown) => {
          sent?.();
          throw error;
        });
        if (step.done !== true) return controller.enqueue(step.value);
        sent?.();
        controller.close();
      },
      async cancel() {
        sent?.();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
