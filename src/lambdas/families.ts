export * as lambdas from "./rules.js";
