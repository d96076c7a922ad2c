export { changePasswordRequest, forgotPasswordRequest, loginRequest, logoutRequest } from "../logins/schema.js";
export {
  assertRequest,
  loginRequest as loginByPasskeyRequest,
  passkeyImportRequest,
  passkeyRequest,
  registrationRequest,
  registrationStartRequest,
  startRequest,
} from "../passkeys/schema.js";
export { passwordlessLoginRequest, passwordlessSendRequest, passwordlessStartRequest } from "../passwordless/schema.js";
export { refreshRequest } from "../refresh-tokens/schema.js";
export {
  enableTwoFactorRequest,
  legacyEnableRequest,
  passkeyLoginRequest,
  sendCodeRequest,
  sendPendingCodeRequest,
  startTwoFactorRequest,
  twoFactorLoginRequest,
  twoFactorStatusRequest,
  updateTwoFactorRequest,
} from "../two-factor/schema.js";
export { identityRequest, sendIdentityRequest, startIdentityRequest, verifyEmailRequest } from "../verifications/schema.js";
