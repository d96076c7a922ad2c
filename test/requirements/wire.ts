import type { Requirement } from "./requirement.js";

const secondStage = (topic: string): string => `decisions.md, Second stage: ${topic}`;

/** The rules of requests as clients send them, for every route and field. */
export const wireRequirements: Readonly<Record<string, Requirement>> = {
  "wire.hosts": {
    behaviour: "A URL field whose host cannot exist, as `http://.`, is 400 [invalid] on its path, in every family",
    section: "decisions.md, Events, lambdas, forms, integrations: Webhook fields",
  },
  "wire.member-names": {
    behaviour: "Members named like those of every JavaScript object are judged as any other name, in every document",
    section: "decisions.md, PATCH: Hostile documents",
  },
  "tenant.event-settings": {
    behaviour:
      "Settings of events keep what has an effect: None where nobody is asked, no instance events; other names are refused",
    section: secondStage("`eventConfiguration` of tenants"),
  },
  "tenant.event-disabled": {
    behaviour: "An event that its tenant disables reaches no receiver, `.complete` events too",
    section: secondStage("`eventConfiguration` of tenants"),
  },
};
