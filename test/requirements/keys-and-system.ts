import type { RulesBySection } from "./rules.js";

/** The rules of what guards the service – access lists, schemes, brute force – and of what tells how it is. */
export const keysAndSystemRequirements: RulesBySection = {
  "docs/reference/api-keys.md#fields": "key.access-list key.access-list-reach",
  "docs/reference/authentication.md#source-address":
    "authentication.source-spelling authentication.source-hops key.access-list-source",
  "docs/reference/api-keys.md#new-changed-and-revoked-keys": "key.access-list-at-once",
  "docs/reference/api-keys.md#keys-for-several-tenants": "key.several-tenants",
  "docs/reference/api-keys.md#rotation": "key.rotate key.earlier-value",
  "docs/reference/api-keys.md#expiry": "key.expiry-warning",
  "docs/reference/api-keys.md#permissions": "key.scoped key.scoped-shared",
  "docs/reference/authentication.md#schemes": "auth.none system.local auth.forged-everywhere",
  "docs/reference/service.md#versions-and-plans": "auth.basic-version",
  "docs/reference/tokens.md#login": "throttle.refused throttle.reset throttle.from-elsewhere throttle.slowed",
  "docs/reference/threats.md, 27": "throttle.counted-first",
  "docs/architecture.md": "throttle.options",
  "docs/reference/README.md": "throttle.in-process",
  "docs/reference/wire.md#dry-run": "throttle.dry-run",
  "docs/reference/system.md": "system.status system.health system.version system.metrics",
  "docs/reference/api-keys.md#global-endpoints": "system.global",
  "docs/reference/authentication.md#tenant-header": "tenant-scope.matrix",
};
