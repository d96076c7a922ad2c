import type { Requirement } from "./requirement.js";

/** The rules of what guards the service – access lists, schemes, brute force – and of what tells how it is. */
export const keysAndSystemRequirements: Readonly<Record<string, Requirement>> = {
  "key.access-list": {
    behaviour: "A key with an access list works only from addresses that the list lets in; elsewhere an empty 401",
    section: "2.1",
  },
  "key.access-list-source": {
    behaviour: "The address is the socket's, or what trusted proxies tell; one that nobody knows is blocked",
    section: "decisions.md, Tenants, keys, authentication: Source address",
  },
  "key.access-list-at-once": {
    behaviour: "A change of a list, or of the key's choice of it, counts at once, and within a second in other processes",
    section: "decisions.md, Tenants, keys, authentication: New, changed and revoked keys",
  },
  "key.access-list-reach": {
    behaviour: "A key that has a list reaches no key without it and cannot change the list itself",
    section: "facts.md 9.1",
  },
  "key.scoped": {
    behaviour: "A key of a tenant calls the endpoints of tenants, fewer where it has permissions, and no global one",
    section: "5.2",
  },
  "key.scoped-shared": { behaviour: "A key of a tenant reads what all tenants share and changes none of it", section: "5.2" },
  "auth.none": {
    behaviour: "Public endpoints, each of them listed, answer without a credential and with any alike",
    section: "5.1",
  },
  "auth.basic-version": { behaviour: "Basic with an API key exists from 1.27.0 on; before, it is 401", section: "9" },
  "throttle.refused": {
    behaviour:
      "After too many failures the subject is 423, the source and every client secret 429, with Retry-After, and nothing is tried",
    section: "facts.md 10.10",
  },
  "throttle.counted-first": {
    behaviour: "Attempts that are made side by side count before they are tried, on the shared storage",
    section: "THREATS.md 27",
  },
  "throttle.reset": { behaviour: "Success forgives the subject its failures, and the source none", section: "facts.md 10.10" },
  "throttle.from-elsewhere": {
    behaviour:
      "Failures from one source do not refuse the subject from another; a source that succeeded is let in whatever others do",
    section: "facts.md 10.10",
  },
  "throttle.slowed": {
    behaviour: "Failures slow the next attempt; only so many calls wait at a time",
    section: "facts.md 10.10",
  },
  "throttle.options": { behaviour: "Each limit is an option, and each kind can be switched off", section: "DESIGN.md" },
  "throttle.in-process": {
    behaviour: "Attempts in process that name no address count as those of one source",
    section: "decisions.md, Second stage",
  },
  "throttle.dry-run": { behaviour: "A dry run counts like any attempt", section: "decisions.md, PATCH: Dry run" },
  "system.status": {
    behaviour: "Status is 200 with version and details for a key, 452 when the storage does not answer",
    section: "facts.md 10.12",
  },
  "system.health": { behaviour: "Health is an empty 200 or 500 for everybody", section: "facts.md 10.12" },
  "system.version": { behaviour: "The version is told to every key", section: "facts.md 10.12" },
  "system.metrics": { behaviour: "Metrics are text in the exposition format", section: "facts.md 10.12" },
  "system.global": { behaviour: "Status and metrics are for global keys only", section: "facts.md 9.2" },
  "system.local": {
    behaviour: "With local metrics on, status and metrics answer callers whose socket is local, and nobody else",
    section: "5.1",
  },
  "auth.forged-everywhere": {
    behaviour: "Every endpoint that needs a credential refuses every forged one with an empty 401",
    section: "5.1",
  },
  "tenant-scope.matrix": {
    behaviour: "Every endpoint answers every kind of caller, with every tenant header, as its declaration says",
    section: "5.4",
  },
};
