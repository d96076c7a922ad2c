export { accessListRequest } from "../access-lists/schema.js";
export { apiKeyRequest, rotateApiKeyRequest } from "../api-keys/schema.js";
export { generateKeyRequest, importKeyRequest, newKeyRequest, updateKeyRequest } from "../keys/schema.js";
