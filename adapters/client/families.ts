// Written from the routes: `npx vitest run test/client/table -u` writes it again.
// A row: the method, the paths with the longest first, ?what else goes to the query, and marks: `safe` changes nothing, `named` is done
// once where the longest path names the id, `once` is never sent again, `form` sends a form, `text` answers text.
import type { FamilyOperations } from "latchkey/types";
import { toFamily } from "./to-family.js";
import type { Connection, FamilyClient } from "./types.js";

/** The calls of `keys`. */
export function keys(connection: Connection): FamilyClient<FamilyOperations["keys"]> {
  return toFamily<FamilyOperations["keys"]>(connection, {
    generate: "POST /api/key/generate/:keyId /api/key/generate named",
    import: "POST /api/key/import/:keyId /api/key/import named",
    retrieve: "GET /api/key/:keyId",
    list: "GET /api/key",
    update: "PUT /api/key/:keyId /api/key",
    patch: "PATCH /api/key/:keyId /api/key",
    remove: "DELETE /api/key/:keyId /api/key",
    search: "POST /api/key/search safe",
    jwks: "GET /.well-known/jwks.json",
    publicKey: "GET /api/jwt/public-key",
  });
}

/** The calls of `accessLists`. */
export function accessLists(connection: Connection): FamilyClient<FamilyOperations["accessLists"]> {
  return toFamily<FamilyOperations["accessLists"]>(connection, {
    create: "POST /api/ip-acl/:ipAccessControlListId /api/ip-acl named",
    retrieve: "GET /api/ip-acl/:ipAccessControlListId",
    list: "GET /api/ip-acl",
    update: "PUT /api/ip-acl/:ipAccessControlListId /api/ip-acl",
    patch: "PATCH /api/ip-acl/:ipAccessControlListId /api/ip-acl",
    remove: "DELETE /api/ip-acl/:ipAccessControlListId /api/ip-acl",
    search: "POST /api/ip-acl/search safe",
  });
}

/** The calls of `emailTemplates`. */
export function emailTemplates(connection: Connection): FamilyClient<FamilyOperations["emailTemplates"]> {
  return toFamily<FamilyOperations["emailTemplates"]>(connection, {
    create: "POST /api/email/template/:emailTemplateId /api/email/template named",
    retrieve: "GET /api/email/template/:emailTemplateId",
    list: "GET /api/email/template",
    update: "PUT /api/email/template/:emailTemplateId /api/email/template",
    patch: "PATCH /api/email/template/:emailTemplateId /api/email/template",
    remove: "DELETE /api/email/template/:emailTemplateId /api/email/template",
    search: "POST /api/email/template/search safe",
    preview: "POST /api/email/template/preview safe",
    send: "POST /api/email/send/:emailTemplateId /api/email/send",
  });
}

/** The calls of `messageTemplates`. */
export function messageTemplates(connection: Connection): FamilyClient<FamilyOperations["messageTemplates"]> {
  return toFamily<FamilyOperations["messageTemplates"]>(connection, {
    create: "POST /api/message/template/:messageTemplateId /api/message/template named",
    retrieve: "GET /api/message/template/:messageTemplateId",
    list: "GET /api/message/template",
    update: "PUT /api/message/template/:messageTemplateId /api/message/template",
    patch: "PATCH /api/message/template/:messageTemplateId /api/message/template",
    remove: "DELETE /api/message/template/:messageTemplateId /api/message/template",
    preview: "POST /api/message/template/preview safe",
  });
}

/** The calls of `messengers`. */
export function messengers(connection: Connection): FamilyClient<FamilyOperations["messengers"]> {
  return toFamily<FamilyOperations["messengers"]>(connection, {
    create: "POST /api/messenger/:messengerId /api/messenger named",
    retrieve: "GET /api/messenger/:messengerId",
    list: "GET /api/messenger",
    update: "PUT /api/messenger/:messengerId /api/messenger",
    patch: "PATCH /api/messenger/:messengerId /api/messenger",
    remove: "DELETE /api/messenger/:messengerId /api/messenger",
  });
}

/** The calls of `consents`. */
export function consents(connection: Connection): FamilyClient<FamilyOperations["consents"]> {
  return toFamily<FamilyOperations["consents"]>(connection, {
    create: "POST /api/consent/:consentId /api/consent named",
    retrieve: "GET /api/consent/:consentId",
    list: "GET /api/consent",
    update: "PUT /api/consent/:consentId /api/consent",
    patch: "PATCH /api/consent/:consentId /api/consent",
    remove: "DELETE /api/consent/:consentId /api/consent",
    search: "POST /api/consent/search safe",
  });
}

/** The calls of `formFields`. */
export function formFields(connection: Connection): FamilyClient<FamilyOperations["formFields"]> {
  return toFamily<FamilyOperations["formFields"]>(connection, {
    create: "POST /api/form/field/:fieldId /api/form/field named",
    retrieve: "GET /api/form/field/:fieldId",
    list: "GET /api/form/field",
    update: "PUT /api/form/field/:fieldId /api/form/field",
    patch: "PATCH /api/form/field/:fieldId /api/form/field",
    remove: "DELETE /api/form/field/:fieldId /api/form/field",
  });
}

/** The calls of `forms`. */
export function forms(connection: Connection): FamilyClient<FamilyOperations["forms"]> {
  return toFamily<FamilyOperations["forms"]>(connection, {
    create: "POST /api/form/:formId /api/form named",
    retrieve: "GET /api/form/:formId",
    list: "GET /api/form",
    update: "PUT /api/form/:formId /api/form",
    patch: "PATCH /api/form/:formId /api/form",
    remove: "DELETE /api/form/:formId /api/form",
    describe: "POST /api/form/:formId/describe ?locale safe",
    validate: "POST /api/form/:formId/validate /api/form/validate",
  });
}

/** The calls of `lambdas`. */
export function lambdas(connection: Connection): FamilyClient<FamilyOperations["lambdas"]> {
  return toFamily<FamilyOperations["lambdas"]>(connection, {
    create: "POST /api/lambda/:lambdaId /api/lambda named",
    retrieve: "GET /api/lambda/:lambdaId",
    list: "GET /api/lambda",
    update: "PUT /api/lambda/:lambdaId /api/lambda",
    patch: "PATCH /api/lambda/:lambdaId /api/lambda",
    remove: "DELETE /api/lambda/:lambdaId /api/lambda",
    search: "POST /api/lambda/search safe",
    restore: "POST /api/lambda/:lambdaId/restore",
    retrieveVersion: "GET /api/lambda/:lambdaId/version/:version",
    test: "POST /api/lambda/:lambdaId/test /api/lambda/test",
    versions: "GET /api/lambda/:lambdaId/version",
  });
}

/** The calls of `connectors`. */
export function connectors(connection: Connection): FamilyClient<FamilyOperations["connectors"]> {
  return toFamily<FamilyOperations["connectors"]>(connection, {
    create: "POST /api/connector/:connectorId /api/connector named",
    retrieve: "GET /api/connector/:connectorId",
    list: "GET /api/connector",
    update: "PUT /api/connector/:connectorId /api/connector",
    patch: "PATCH /api/connector/:connectorId /api/connector",
    remove: "DELETE /api/connector/:connectorId /api/connector",
  });
}

/** The calls of `themes`. */
export function themes(connection: Connection): FamilyClient<FamilyOperations["themes"]> {
  return toFamily<FamilyOperations["themes"]>(connection, {
    create: "POST /api/theme/:themeId /api/theme named",
    retrieve: "GET /api/theme/:themeId",
    list: "GET /api/theme",
    update: "PUT /api/theme/:themeId /api/theme",
    patch: "PATCH /api/theme/:themeId /api/theme",
    remove: "DELETE /api/theme/:themeId /api/theme",
    search: "POST /api/theme/search safe",
  });
}

/** The calls of `tenants`. */
export function tenants(connection: Connection): FamilyClient<FamilyOperations["tenants"]> {
  return toFamily<FamilyOperations["tenants"]>(connection, {
    create: "POST /api/tenant/:tenantId /api/tenant named",
    retrieve: "GET /api/tenant/:tenantId",
    list: "GET /api/tenant",
    update: "PUT /api/tenant/:tenantId /api/tenant",
    patch: "PATCH /api/tenant/:tenantId /api/tenant",
    remove: "DELETE /api/tenant/:tenantId /api/tenant ?async",
    search: "POST /api/tenant/search safe",
    passwordRules: "GET /api/tenant/password-validation-rules/:tenantId /api/tenant/password-validation-rules",
  });
}

/** The calls of `applications`. */
export function applications(connection: Connection): FamilyClient<FamilyOperations["applications"]> {
  return toFamily<FamilyOperations["applications"]>(connection, {
    create: "POST /api/application/:applicationId /api/application named",
    retrieve: "GET /api/application/:applicationId",
    list: "GET /api/application",
    update: "PUT /api/application/:applicationId /api/application ?reactivate",
    patch: "PATCH /api/application/:applicationId /api/application",
    remove: "DELETE /api/application/:applicationId /api/application ?hardDelete",
    search: "POST /api/application/search safe",
  });
}

/** The calls of `identityProviders`. */
export function identityProviders(connection: Connection): FamilyClient<FamilyOperations["identityProviders"]> {
  return toFamily<FamilyOperations["identityProviders"]>(connection, {
    create: "POST /api/identity-provider/:identityProviderId /api/identity-provider named",
    retrieve: "GET /api/identity-provider/:identityProviderId",
    list: "GET /api/identity-provider",
    update: "PUT /api/identity-provider/:identityProviderId /api/identity-provider",
    patch: "PATCH /api/identity-provider/:identityProviderId /api/identity-provider",
    remove: "DELETE /api/identity-provider/:identityProviderId /api/identity-provider",
    search: "POST /api/identity-provider/search safe",
    lookup: "GET /api/identity-provider/lookup",
    start: "POST /api/identity-provider/start",
    login: "POST /api/identity-provider/login",
    reconcile: "POST /api/jwt/reconcile",
  });
}

/** The calls of `applicationRoles`. */
export function applicationRoles(connection: Connection): FamilyClient<FamilyOperations["applicationRoles"]> {
  return toFamily<FamilyOperations["applicationRoles"]>(connection, {
    create: "POST /api/application/:applicationId/role/:roleId /api/application/:applicationId/role named",
    update: "PUT /api/application/:applicationId/role/:roleId /api/application/:applicationId/role",
    patch: "PATCH /api/application/:applicationId/role/:roleId /api/application/:applicationId/role",
    remove: "DELETE /api/application/:applicationId/role/:roleId /api/application/:applicationId/role ?name",
  });
}

/** The calls of `groups`. */
export function groups(connection: Connection): FamilyClient<FamilyOperations["groups"]> {
  return toFamily<FamilyOperations["groups"]>(connection, {
    create: "POST /api/group/:groupId /api/group named",
    retrieve: "GET /api/group/:groupId",
    list: "GET /api/group",
    update: "PUT /api/group/:groupId /api/group",
    patch: "PATCH /api/group/:groupId /api/group",
    remove: "DELETE /api/group/:groupId /api/group",
    search: "POST /api/group/search safe",
  });
}

/** The calls of `apiKeys`. */
export function apiKeys(connection: Connection): FamilyClient<FamilyOperations["apiKeys"]> {
  return toFamily<FamilyOperations["apiKeys"]>(connection, {
    create: "POST /api/api-key/:keyId /api/api-key named",
    retrieve: "GET /api/api-key/:keyId /api/api-key",
    update: "PUT /api/api-key/:keyId /api/api-key",
    patch: "PATCH /api/api-key/:keyId /api/api-key",
    remove: "DELETE /api/api-key/:keyId /api/api-key",
    rotate: "POST /api/api-key/:keyId/rotate",
  });
}

/** The calls of `webhooks`. */
export function webhooks(connection: Connection): FamilyClient<FamilyOperations["webhooks"]> {
  return toFamily<FamilyOperations["webhooks"]>(connection, {
    create: "POST /api/webhook/:webhookId /api/webhook named",
    retrieve: "GET /api/webhook/:webhookId",
    list: "GET /api/webhook",
    update: "PUT /api/webhook/:webhookId /api/webhook",
    patch: "PATCH /api/webhook/:webhookId /api/webhook",
    remove: "DELETE /api/webhook/:webhookId /api/webhook",
    search: "POST /api/webhook/search safe",
    test: "POST /api/webhook/:webhookId/test",
  });
}

/** The calls of `integrations`. */
export function integrations(connection: Connection): FamilyClient<FamilyOperations["integrations"]> {
  return toFamily<FamilyOperations["integrations"]>(connection, {
    retrieve: "GET /api/integration",
    update: "PUT /api/integration ?integrationsId",
    patch: "PATCH /api/integration ?integrationsId",
  });
}

/** The calls of `entityTypes`. */
export function entityTypes(connection: Connection): FamilyClient<FamilyOperations["entityTypes"]> {
  return toFamily<FamilyOperations["entityTypes"]>(connection, {
    create: "POST /api/entity/type/:entityTypeId /api/entity/type named",
    retrieve: "GET /api/entity/type/:entityTypeId",
    list: "GET /api/entity/type",
    update: "PUT /api/entity/type/:entityTypeId /api/entity/type",
    patch: "PATCH /api/entity/type/:entityTypeId /api/entity/type",
    remove: "DELETE /api/entity/type/:entityTypeId /api/entity/type",
    search: "POST /api/entity/type/search safe",
  });
}

/** The calls of `entityTypePermissions`. */
export function entityTypePermissions(connection: Connection): FamilyClient<FamilyOperations["entityTypePermissions"]> {
  return toFamily<FamilyOperations["entityTypePermissions"]>(connection, {
    create: "POST /api/entity/type/:entityTypeId/permission/:permissionId /api/entity/type/:entityTypeId/permission named",
    retrieve: "GET /api/entity/type/:entityTypeId/permission/:permissionId",
    list: "GET /api/entity/type/:entityTypeId/permission",
    update: "PUT /api/entity/type/:entityTypeId/permission/:permissionId /api/entity/type/:entityTypeId/permission",
    patch: "PATCH /api/entity/type/:entityTypeId/permission/:permissionId /api/entity/type/:entityTypeId/permission",
    remove: "DELETE /api/entity/type/:entityTypeId/permission/:permissionId /api/entity/type/:entityTypeId/permission ?name",
  });
}

/** The calls of `entities`. */
export function entities(connection: Connection): FamilyClient<FamilyOperations["entities"]> {
  return toFamily<FamilyOperations["entities"]>(connection, {
    create: "POST /api/entity/:entityId /api/entity named",
    retrieve: "GET /api/entity/:entityId",
    list: "GET /api/entity",
    update: "PUT /api/entity/:entityId /api/entity",
    patch: "PATCH /api/entity/:entityId /api/entity",
    remove: "DELETE /api/entity/:entityId /api/entity",
    search: "POST /api/entity/search safe",
  });
}

/** The calls of `entityGrants`. */
export function entityGrants(connection: Connection): FamilyClient<FamilyOperations["entityGrants"]> {
  return toFamily<FamilyOperations["entityGrants"]>(connection, {
    upsert: "PUT /api/entity/:entityId/grant",
    find: "GET /api/entity/:entityId/grant",
    remove: "DELETE /api/entity/:entityId/grant ?grantId ?recipientEntityId ?userId",
    search: "POST /api/entity/grant/search safe",
  });
}

/** The calls of `userActions`. */
export function userActions(connection: Connection): FamilyClient<FamilyOperations["userActions"]> {
  return toFamily<FamilyOperations["userActions"]>(connection, {
    create: "POST /api/user-action/:userActionId /api/user-action named",
    retrieve: "GET /api/user-action/:userActionId",
    list: "GET /api/user-action",
    update: "PUT /api/user-action/:userActionId /api/user-action ?reactivate",
    patch: "PATCH /api/user-action/:userActionId /api/user-action",
    remove: "DELETE /api/user-action/:userActionId /api/user-action ?hardDelete",
  });
}

/** The calls of `userActionReasons`. */
export function userActionReasons(connection: Connection): FamilyClient<FamilyOperations["userActionReasons"]> {
  return toFamily<FamilyOperations["userActionReasons"]>(connection, {
    create: "POST /api/user-action-reason/:userActionReasonId /api/user-action-reason named",
    retrieve: "GET /api/user-action-reason/:userActionReasonId",
    list: "GET /api/user-action-reason",
    update: "PUT /api/user-action-reason/:userActionReasonId /api/user-action-reason",
    patch: "PATCH /api/user-action-reason/:userActionReasonId /api/user-action-reason",
    remove: "DELETE /api/user-action-reason/:userActionReasonId /api/user-action-reason",
  });
}

/** The calls of `users`. */
export function users(connection: Connection): FamilyClient<FamilyOperations["users"]> {
  return toFamily<FamilyOperations["users"]>(connection, {
    create: "POST /api/user/:userId /api/user named",
    retrieve: "GET /api/user/:userId",
    find: "GET /api/user",
    update: "PUT /api/user/:userId /api/user ?reactivate",
    patch: "PATCH /api/user/:userId /api/user",
    remove: "DELETE /api/user/:userId /api/user ?hardDelete",
    search: "POST /api/user/search safe",
  });
}

/** The calls of `bulkUsers`. */
export function bulkUsers(connection: Connection): FamilyClient<FamilyOperations["bulkUsers"]> {
  return toFamily<FamilyOperations["bulkUsers"]>(connection, {
    import: "POST /api/user/import",
    importRefreshTokens: "POST /api/user/refresh-token/import",
    remove: "DELETE /api/user/bulk ?hardDelete",
  });
}

/** The calls of `importJobs`. */
export function importJobs(connection: Connection): FamilyClient<FamilyOperations["importJobs"]> {
  return toFamily<FamilyOperations["importJobs"]>(connection, {
    retrieve: "GET /api/user/import/job/:jobId",
    list: "GET /api/user/import/job",
    resume: "POST /api/user/import/job/:jobId/resume",
    cancel: "DELETE /api/user/import/job/:jobId ?hardDelete",
  });
}

/** The calls of `registrations`. */
export function registrations(connection: Connection): FamilyClient<FamilyOperations["registrations"]> {
  return toFamily<FamilyOperations["registrations"]>(connection, {
    create: "POST /api/user/registration/:userId /api/user/registration named",
    retrieve: "GET /api/user/registration/:userId/:applicationId /api/user/registration/:userId",
    update: "PUT /api/user/registration/:userId/:applicationId /api/user/registration/:userId /api/user/registration",
    patch:
      "PATCH /api/user/registration/:userId/:applicationId /api/user/registration/:userId /api/user/registration ?registrationId",
    remove:
      "DELETE /api/user/registration/:userId/:applicationId /api/user/registration/:userId /api/user/registration ?registrationId",
  });
}

/** The calls of `groupMembers`. */
export function groupMembers(connection: Connection): FamilyClient<FamilyOperations["groupMembers"]> {
  return toFamily<FamilyOperations["groupMembers"]>(connection, {
    add: "POST /api/group/member",
    replace: "PUT /api/group/member",
    remove: "DELETE /api/group/member/:memberId /api/group/member ?groupId ?userId",
    search: "POST /api/group/member/search safe",
  });
}

/** The calls of `userConsents`. */
export function userConsents(connection: Connection): FamilyClient<FamilyOperations["userConsents"]> {
  return toFamily<FamilyOperations["userConsents"]>(connection, {
    create: "POST /api/user/consent/:userConsentId /api/user/consent named",
    retrieve: "GET /api/user/consent/:userConsentId",
    list: "GET /api/user/consent",
    update: "PUT /api/user/consent/:userConsentId /api/user/consent",
    patch: "PATCH /api/user/consent/:userConsentId /api/user/consent",
    remove: "DELETE /api/user/consent/:userConsentId /api/user/consent",
  });
}

/** The calls of `userActionLogs`. */
export function userActionLogs(connection: Connection): FamilyClient<FamilyOperations["userActionLogs"]> {
  return toFamily<FamilyOperations["userActionLogs"]>(connection, {
    create: "POST /api/user/action ?actionId",
    retrieve: "GET /api/user/action/:actionId",
    list: "GET /api/user/action",
    update: "PUT /api/user/action/:actionId",
    remove: "DELETE /api/user/action/:actionId",
  });
}

/** The calls of `identityProviderLinks`. */
export function identityProviderLinks(connection: Connection): FamilyClient<FamilyOperations["identityProviderLinks"]> {
  return toFamily<FamilyOperations["identityProviderLinks"]>(connection, {
    create: "POST /api/identity-provider/link",
    find: "GET /api/identity-provider/link",
    remove: "DELETE /api/identity-provider/link ?identityProviderId ?identityProviderUserId ?userId",
    retrievePending: "GET /api/identity-provider/link/pending/:pendingLinkId",
    search: "POST /api/identity-provider/link/search safe",
  });
}

/** The calls of `loginRecords`. */
export function loginRecords(connection: Connection): FamilyClient<FamilyOperations["loginRecords"]> {
  return toFamily<FamilyOperations["loginRecords"]>(connection, {
    recent: "GET /api/user/recent-login",
    export: "POST /api/system/login-record/export",
    search: "POST /api/system/login-record/search safe",
  });
}

/** The calls of `userComments`. */
export function userComments(connection: Connection): FamilyClient<FamilyOperations["userComments"]> {
  return toFamily<FamilyOperations["userComments"]>(connection, {
    create: "POST /api/user/comment ?userCommentId",
    list: "GET /api/user/comment/:userId",
    search: "POST /api/user/comment/search safe",
  });
}

/** The calls of `webhookEventLogs`. */
export function webhookEventLogs(connection: Connection): FamilyClient<FamilyOperations["webhookEventLogs"]> {
  return toFamily<FamilyOperations["webhookEventLogs"]>(connection, {
    retrieve: "GET /api/system/webhook-event-log/:webhookEventLogId",
    retrieveAttempt: "GET /api/system/webhook-attempt-log/:webhookAttemptLogId",
    search: "POST /api/system/webhook-event-log/search safe",
    resend: "POST /api/system/webhook-event-log/:webhookEventLogId/resend ?webhookId",
    replay: "POST /api/system/webhook-event-log/replay",
  });
}

/** The calls of `eventLogs`. */
export function eventLogs(connection: Connection): FamilyClient<FamilyOperations["eventLogs"]> {
  return toFamily<FamilyOperations["eventLogs"]>(connection, {
    retrieve: "GET /api/system/event-log/:eventLogId",
    search: "POST /api/system/event-log/search safe",
  });
}

/** The calls of `auditLogs`. */
export function auditLogs(connection: Connection): FamilyClient<FamilyOperations["auditLogs"]> {
  return toFamily<FamilyOperations["auditLogs"]>(connection, {
    create: "POST /api/system/audit-log",
    retrieve: "GET /api/system/audit-log/:auditLogId",
    search: "POST /api/system/audit-log/search safe",
  });
}

/** The calls of `moderation`. */
export function moderation(connection: Connection): FamilyClient<FamilyOperations["moderation"]> {
  return toFamily<FamilyOperations["moderation"]>(connection, {
    notify: "POST /api/moderation/notify",
  });
}

/** The calls of `system`. */
export function system(connection: Connection): FamilyClient<FamilyOperations["system"]> {
  return toFamily<FamilyOperations["system"]>(connection, {
    status: "GET /api/status",
    health: "GET /api/health",
    version: "GET /api/system/version",
    metrics: "GET /api/prometheus/metrics text",
    openApi: "GET /api/openapi.json",
  });
}

/** The calls of `twoFactor`. */
export function twoFactor(connection: Connection): FamilyClient<FamilyOperations["twoFactor"]> {
  return toFamily<FamilyOperations["twoFactor"]>(connection, {
    secret: "GET /api/two-factor/secret",
    enable: "POST /api/user/two-factor/:userId /api/user/two-factor once",
    disable: "DELETE /api/user/two-factor/:userId /api/user/two-factor ?applicationId ?code ?methodId once",
    update: "PUT /api/user/two-factor/:userId /api/user/two-factor once",
    start: "POST /api/two-factor/start once",
    status: "GET /api/two-factor/status/:twoFactorTrustId /api/two-factor/status",
    checkStatus: "POST /api/two-factor/status once",
    send: "POST /api/two-factor/send once",
    sendForLogin: "POST /api/two-factor/send/:twoFactorId once",
    startPasskey: "POST /api/two-factor/passkey/:twoFactorId once",
    login: "POST /api/two-factor/login once",
    recoveryCodes: "GET /api/user/two-factor/recovery-code/:userId",
    makeRecoveryCodes: "POST /api/user/two-factor/recovery-code/:userId once",
  });
}

/** The calls of `logins`. */
export function logins(connection: Connection): FamilyClient<FamilyOperations["logins"]> {
  return toFamily<FamilyOperations["logins"]>(connection, {
    login: "POST /api/login once",
    ping: "PUT /api/login/:userId/:applicationId /api/login/:userId /api/login ?ipAddress once",
    logout: "POST /api/logout once",
    forgotPassword: "POST /api/user/forgot-password once",
    checkPasswordChange: "GET /api/user/change-password/:changePasswordId /api/user/change-password",
    changePassword: "POST /api/user/change-password/:changePasswordId /api/user/change-password once",
  });
}

/** The calls of `passkeys`. */
export function passkeys(connection: Connection): FamilyClient<FamilyOperations["passkeys"]> {
  return toFamily<FamilyOperations["passkeys"]>(connection, {
    startRegistration: "POST /api/webauthn/register/start",
    completeRegistration: "POST /api/webauthn/register/complete",
    start: "POST /api/webauthn/start",
    login: "POST /api/webauthn/login",
    assert: "POST /api/webauthn/assert",
    import: "POST /api/webauthn/import",
    retrieve: "GET /api/webauthn/:passkeyId",
    list: "GET /api/webauthn",
    remove: "DELETE /api/webauthn/:passkeyId /api/webauthn ?userId",
  });
}

/** The calls of `passwordless`. */
export function passwordless(connection: Connection): FamilyClient<FamilyOperations["passwordless"]> {
  return toFamily<FamilyOperations["passwordless"]>(connection, {
    start: "POST /api/passwordless/start",
    send: "POST /api/passwordless/send",
    login: "POST /api/passwordless/login",
  });
}

/** The calls of `verifications`. */
export function verifications(connection: Connection): FamilyClient<FamilyOperations["verifications"]> {
  return toFamily<FamilyOperations["verifications"]>(connection, {
    resendEmail: "PUT /api/user/verify-email ?email ?applicationId ?sendVerifyEmail ?verificationId",
    verifyEmail: "POST /api/user/verify-email/:verificationId /api/user/verify-email",
    resendRegistration: "PUT /api/user/verify-registration ?email ?applicationId ?sendVerifyPasswordEmail",
    verifyRegistration: "POST /api/user/verify-registration/:verificationId /api/user/verify-registration",
    startIdentity: "POST /api/identity/verify/start",
    sendIdentity: "POST /api/identity/verify/send",
    completeIdentity: "POST /api/identity/verify/complete",
    verifyIdentity: "POST /api/identity/verify /api/identity/verify/verify",
  });
}

/** The calls of `jwt`. */
export function jwt(connection: Connection): FamilyClient<FamilyOperations["jwt"]> {
  return toFamily<FamilyOperations["jwt"]>(connection, {
    refresh: "POST /api/jwt/refresh once",
    list: "GET /api/jwt/refresh",
    retrieve: "GET /api/jwt/refresh/:tokenId",
    revoke: "DELETE /api/jwt/refresh/:tokenId /api/jwt/refresh ?token ?userId ?applicationId ?exceptTokenId",
    validate: "GET /api/jwt/validate",
  });
}

/** The calls of `oauth2`. */
export function oauth2(connection: Connection): FamilyClient<FamilyOperations["oauth2"]> {
  return toFamily<FamilyOperations["oauth2"]>(connection, {
    token: "POST /oauth2/token once form",
    introspect: "POST /oauth2/introspect once form",
    userInfo: "GET /oauth2/userinfo",
  });
}
