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
