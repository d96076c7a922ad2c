import { IncomingMessage } from "node:http";
import type { RequestBody } from "latchkey/ports";
import { isDrainedBody } from "../internal/drained-body.js";

/** The part of an HTTP/2 request that reports whether a body follows. */
interface Http2Stream {
  readonly endAfterHeaders: boolean;
}

/** The body of a Node request; undefined without one. `parsed` is the result of the host's body parser. */
export function toRequestBody(req: IncomingMessage, parsed: unknown): RequestBody | undefined {
  if (!mayHaveBody(req)) return undefined;
  // Some parsers set an empty object for types that they do not parse; an unread body is never parsed.
  if (req.readableDidRead === false) return { kind: "stream", stream: req };
  if (parsed === undefined || isDrainedBody(parsed, (name) => req.headers[name])) return { kind: "unreadable", reason };
  if (typeof parsed === "string") return { kind: "text", text: parsed };
  return parsed instanceof Uint8Array ? { kind: "bytes", bytes: parsed } : { kind: "parsed", value: parsed };
}

const reason =
  "Something read the body before the service did. Mount the service before it, or leave what it parsed where body parsers do: `body` of the request.";

// Only HTTP/1 announces a body by headers. HTTP/2 has a flag, and injected requests have an empty stream.
function mayHaveBody(req: IncomingMessage): boolean {
  const isInjected = !(req instanceof IncomingMessage);
  const { "content-length": length, "transfer-encoding": encoding } = req.headers;
  if (encoding !== undefined || length !== undefined) return encoding !== undefined || !/^0+$/.test(length ?? "");
  if ("stream" in req) return !(req.stream as Http2Stream).endAfterHeaders;
  return isInjected;
}
