export * as system from "./rules.js";
