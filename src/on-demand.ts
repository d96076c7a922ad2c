/** What is loaded when it is first asked for, in one piece: whoever never logs in or presents a token does without. */

export { introspectToken, issueToken } from "./resources/oauth2/rules.js";
export { TokenVerifier } from "./tokens/verify-token.js";
