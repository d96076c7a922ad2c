export { connectorRequest } from "../connectors/schema.js";
export { identityProviderLinkRequest, pendingLinkRequest } from "../identity-provider-links/schema.js";
export { externalLoginRequest, externalLoginStartRequest } from "../identity-providers/login-schema.js";
export { identityProviderRequest } from "../identity-providers/schema.js";
