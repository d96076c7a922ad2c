/** What is loaded when it is first asked for, in one piece: most starts, and whoever never logs in or presents a token, do without. */

export { writeChanges } from "./audit-changes.js";
export { previewEmail } from "./emails/preview-email.js";
export { sendEmail } from "./emails/send-email.js";
export { askReceivers } from "./events/ask-receivers.js";
export { publishGiven } from "./events/publish-given.js";
export { testWebhook } from "./events/test-webhook.js";
export { describeForm } from "./forms/describe-form.js";
export { validateForm } from "./forms/validate-form.js";
export { generateKey } from "./keys/generate-key.js";
export { importKey } from "./keys/import-key.js";
export { resolveKickstart } from "./kickstart/resolve-kickstart.js";
export { runKickstart } from "./kickstart/run-kickstart.js";
export { notifyModeration } from "./moderation/notify-moderation.js";
export { assertViewer, tellDocsFile, tellDocsPage } from "./openapi/docs-page.js";
export { tellOpenApi } from "./openapi/tell-openapi.js";
export { createDeliverers } from "./outbound/create-deliverers.js";
export { changePassword, logIn, logOut, ping } from "./resources/logins/rules.js";
export { introspectToken, issueToken } from "./resources/oauth2/rules.js";
export {
  listRefreshTokens,
  refreshAccessToken,
  retrieveRefreshToken,
  revokeRefreshTokens,
  validateToken,
} from "./resources/refresh-tokens/rules.js";
export { tellHealth, tellMetrics, tellStatus } from "./resources/system/rules.js";
export {
  disableTwoFactor,
  enableTwoFactor,
  makeRecoveryCodes,
  makeSecret,
  retrieveRecoveryCodes,
  sendPendingCode,
  sendVerificationCode,
} from "./resources/two-factor/rules.js";
export { rotateSecrets } from "./rotate-secrets.js";
export { createProofVerifier } from "./sessions/create-proof-verifier.js";
export { TokenOrigins } from "./sessions/token-origins.js";
export { logInWithTwoFactor } from "./sessions/two-factor-login.js";
export { tellUserInfo } from "./sessions/user-info.js";
export { sendSms } from "./sms/send-sms.js";
export { followOptions } from "./telemetry/follow-options.js";
export { TokenVerifier } from "./tokens/verify-token.js";
