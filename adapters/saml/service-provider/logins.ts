// What a login by an identity provider needs, loaded with the first one.
export { completeLogin } from "./complete-login.js";
export { startLogin } from "./start-login.js";
