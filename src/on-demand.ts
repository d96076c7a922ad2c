/** What is loaded when it is first asked for, in one piece: whoever never logs in or presents a token does without. */

export { changePassword, logIn, logOut, ping } from "./resources/logins/rules.js";
export {
  listRefreshTokens,
  refreshAccessToken,
  retrieveRefreshToken,
  revokeRefreshTokens,
  validateToken,
} from "./resources/refresh-tokens/rules.js";
export { tellHealth, tellMetrics, tellStatus } from "./resources/system/rules.js";
export { createProofVerifier } from "./sessions/create-proof-verifier.js";
export { TokenVerifier } from "./tokens/verify-token.js";
