export * as accessLists from "./access-lists/rules.js";
export * as apiKeys from "./api-keys/rules.js";
export * as keys from "./keys/rules.js";
