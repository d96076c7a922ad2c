/** Requests and responses, for an HTTP adapter of your own: what `identity.handle` takes and returns. */
export type { ApiRequest, ApiResponse, ByteStream, RequestBody } from "../../src/ports/transport.js";
