/** What is loaded when it is first asked for, in one piece: whoever never logs in or presents a token does without. */

export { tellHealth, tellMetrics, tellStatus } from "./resources/system/rules.js";
export { createProofVerifier } from "./sessions/create-proof-verifier.js";
export { TokenVerifier } from "./tokens/verify-token.js";
