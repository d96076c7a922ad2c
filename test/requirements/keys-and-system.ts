import type { Requirement } from "./requirement.js";

/** The rules of what guards the service – access lists, schemes, brute force – and of what tells how it is. */
export const keysAndSystemRequirements: Readonly<Record<string, Requirement>> = {
  "key.access-list": {
    behaviour: "A key with an access list works only from addresses that the list lets in; elsewhere an empty 401",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.access-list-source": {
    behaviour: "The address is the socket's, or what trusted proxies tell; one that nobody knows is blocked",
    section: "docs/reference/authentication.md#source-address",
  },
  "key.access-list-at-once": {
    behaviour: "A change of a list, or of the key's choice of it, counts at once, and within a second in other processes",
    section: "docs/reference/api-keys.md#new-changed-and-revoked-keys",
  },
  "key.access-list-reach": {
    behaviour: "A key that has a list reaches no key without it and cannot change the list itself",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.several-tenants": {
    behaviour: "A key for several tenants calls what a key of the tenant calls that the request names, and nothing else",
    section: "docs/reference/api-keys.md#keys-for-several-tenants",
  },
  "key.rotate": {
    behaviour: "A rotation gives a key another value; the value before works until the end of the grace period",
    section: "docs/reference/api-keys.md#rotation",
  },
  "key.earlier-value": {
    behaviour: "A value that works as the earlier value of a key is taken; afterwards it is free and keeps no key from a change",
    section: "docs/reference/api-keys.md#rotation",
  },
  "key.expiry-warning": {
    behaviour: "The event log warns once before a key expires",
    section: "docs/reference/api-keys.md#expiry",
  },
  "key.scoped": {
    behaviour: "A key of a tenant calls the endpoints of tenants, fewer where it has permissions, and no global one",
    section: "docs/reference/api-keys.md#permissions",
  },
  "key.scoped-shared": {
    behaviour: "A key of a tenant reads what all tenants share and changes none of it",
    section: "docs/reference/api-keys.md#permissions",
  },
  "auth.none": {
    behaviour: "Public endpoints, each of them listed, answer without a credential and with any alike",
    section: "docs/reference/authentication.md#schemes",
  },
  "auth.basic-version": {
    behaviour: "Basic with an API key exists from 1.27.0 on; before, it is 401",
    section: "docs/reference/service.md#versions-and-plans",
  },
  "throttle.refused": {
    behaviour:
      "After too many failures the subject is 423, the source and every client secret 429, with Retry-After, and nothing is tried",
    section: "docs/reference/tokens.md#login",
  },
  "throttle.counted-first": {
    behaviour: "Attempts that are made side by side count before they are tried, on the shared storage",
    section: "docs/reference/threats.md, 27",
  },
  "throttle.reset": {
    behaviour: "Success forgives the subject its failures, and the source none",
    section: "docs/reference/tokens.md#login",
  },
  "throttle.from-elsewhere": {
    behaviour:
      "Failures from one source do not refuse the subject from another; a source that succeeded is let in whatever others do",
    section: "docs/reference/tokens.md#login",
  },
  "throttle.slowed": {
    behaviour: "Failures slow the next attempt; only so many calls wait at a time",
    section: "docs/reference/tokens.md#login",
  },
  "throttle.options": {
    behaviour: "Each limit is an option, and each kind can be switched off",
    section: "docs/architecture.md",
  },
  "throttle.in-process": {
    behaviour: "Attempts in process that name no address count as those of one source",
    section: "docs/reference/README.md",
  },
  "throttle.dry-run": { behaviour: "A dry run counts like any attempt", section: "docs/reference/wire.md#dry-run" },
  "system.status": {
    behaviour: "Status is 200 with version and details for a key, 452 when the storage does not answer",
    section: "docs/reference/system.md",
  },
  "system.health": { behaviour: "Health is an empty 200 or 500 for everybody", section: "docs/reference/system.md" },
  "system.version": { behaviour: "The version is told to every key", section: "docs/reference/system.md" },
  "system.metrics": { behaviour: "Metrics are text in the exposition format", section: "docs/reference/system.md" },
  "system.global": {
    behaviour: "Status and metrics are for global keys only",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "system.local": {
    behaviour: "With local metrics on, status and metrics answer callers whose socket is local, and nobody else",
    section: "docs/reference/authentication.md#schemes",
  },
  "auth.forged-everywhere": {
    behaviour: "Every endpoint that needs a credential refuses every forged one with an empty 401",
    section: "docs/reference/authentication.md#schemes",
  },
  "tenant-scope.matrix": {
    behaviour: "Every endpoint answers every kind of caller, with every tenant header, as its declaration says",
    section: "docs/reference/authentication.md#tenant-header",
  },
};
