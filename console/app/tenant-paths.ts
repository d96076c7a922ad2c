/** The API paths of tenant data. Calls to them carry the tenant of the address. */
export const tenantPaths: RegExp =
  /^\/api\/(user(?!-)|user-action|group|application|entity(?!\/type\/?(search)?$|\/type\/[^/]+$)|consent(?!\/search)|two-factor(?!\/(passkey|send)\/)|identity|moderation|passwordless|scim|system\/(login-record|audit-log)|system\/webhook-event-log\/(search|[0-9a-f-]{36})$)(\/|$)?/;
