/** Requests and responses of `identity.handle`, for an HTTP adapter of your own. */
export type { ApiRequest, ApiResponse, ByteStream, RequestBody } from "../../src/ports/transport.js";
