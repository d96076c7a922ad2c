/** Requests and responses of `identity.handle`, for an HTTP adapter of your own. */
export { readRequestId } from "../../src/http/transport/write-response.js";
export type { ApiRequest, ApiResponse, ByteStream, RequestBody } from "../../src/ports/transport.js";
