import type { Requirement } from "./requirement.js";

const secondStage = (topic: string): string => `docs/reference/README.md: ${topic}`;

/** The rules of requests as clients send them, for every route and field. */
export const wireRequirements: Readonly<Record<string, Requirement>> = {
  "wire.hosts": {
    behaviour: "A URL field whose host cannot exist, as `http://.`, is 400 [invalid] on its path, in every family",
    section: "docs/reference/webhooks.md#fields",
  },
  "wire.member-names": {
    behaviour: "Members named like those of every JavaScript object are judged as any other name, in every document",
    section: "docs/reference/patch.md#hostile-documents",
  },
  "wire.delete-body": {
    behaviour:
      "The body of a DELETE may name hardDelete, userId, applicationId, code, methodId and token; 400 where the URL disagrees",
    section: secondStage("Body forms of DELETE"),
  },
  "wire.undefined": {
    behaviour: "The text undefined counts as absent in optional parameters of GET that are no free text, and is 400 elsewhere",
    section: secondStage("The text `undefined`"),
  },
  "wire.words": {
    behaviour: "A word of the reference where an id is due is 404 and empty; other malformed ids are 400",
    section: secondStage("Words instead of an id"),
  },
  "wire.client-forms": {
    behaviour: "Bodies and parameters that the published clients send are heard",
    section: "docs/reference/wire.md",
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
