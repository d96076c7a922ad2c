import { attribute } from "./define-attribute.js";
import type { ScimAttribute } from "./types.js";

const readOnly = { mutability: "readOnly" } as const;
const exact = { caseExact: true } as const;

/** Attributes of every resource, which schemas do not list (RFC 7643, 3.1). */
export const commonAttributes: readonly ScimAttribute[] = [
  attribute("schemas", "URNs of the schemas that the resource uses.", {
    ...readOnly,
    ...exact,
    type: "reference",
    multiValued: true,
    referenceTypes: ["uri"],
    returned: "always",
  }),
  attribute("id", "Id of the resource in this service.", { ...readOnly, ...exact, returned: "always", uniqueness: "server" }),
  attribute("externalId", "Id of the resource in the client.", exact),
  attribute("meta", "What the service records about the resource.", {
    ...readOnly,
    type: "complex",
    subAttributes: [
      attribute("resourceType", "Name of the resource type.", { ...readOnly, ...exact }),
      attribute("created", "When the resource was created.", { ...readOnly, type: "dateTime" }),
      attribute("lastModified", "When the resource was last changed.", { ...readOnly, type: "dateTime" }),
      attribute("location", "URL of the resource.", { ...readOnly, ...exact, type: "reference", referenceTypes: ["uri"] }),
      attribute("version", "Version of the resource: its ETag.", { ...readOnly, ...exact }),
    ],
  }),
];
