/** The paths that belong to a tenant: they are bound to the one in the address. */
export const tenantPaths: RegExp =
  /^\/api\/(user(?!-)|user-action|group|application|entity(?!\/type\/?(search)?$|\/type\/[^/]+$)|consent(?!\/search)|two-factor(?!\/(passkey|send)\/)|identity|moderation|passwordless|scim|system\/(login-record|audit-log)|system\/webhook-event-log\/(search|[0-9a-f-]{36})$)(\/|$)?/;
