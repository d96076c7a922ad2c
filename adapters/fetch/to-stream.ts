import type { ByteStream } from "latchkey/ports";

const chunkBytes = 65_536;

/**
 * Returns a stream that yields the body in chunks as the client reads it. Calls `sent` after the last chunk or on cancellation.
 */
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

/** Returns a stream that produces each chunk only after the client has read the one before. */
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
