// Loaded at the first login with an identity provider.
export { completeLogin } from "./complete-login.js";
export { startLogin } from "./start-login.js";
