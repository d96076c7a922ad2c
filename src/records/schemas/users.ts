export { consentRequest } from "../consents/schema.js";
export { registrationRequest } from "../registrations/schema.js";
export { userActionLogRequest } from "../user-action-logs/schema.js";
export { userActionReasonRequest } from "../user-action-reasons/schema.js";
export { userActionRequest } from "../user-actions/schema.js";
export { userCommentRequest } from "../user-comments/schema.js";
export { userConsentRequest } from "../user-consents/schema.js";
export { userRequest } from "../users/schema.js";
