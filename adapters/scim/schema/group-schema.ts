import { attribute, complexList } from "./define-attribute.js";
import type { ScimSchema } from "./types.js";

const immutable = { mutability: "immutable" } as const;

/** URN of the core Group schema. */
export const groupSchemaId = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** The core Group schema (RFC 7643, 4.2). Two members with one `value` are one member. */
export const groupSchema: ScimSchema = {
  id: groupSchemaId,
  name: "Group",
  description: "Group of users",
  attributes: [
    attribute("displayName", "Name of the group.", { required: true }),
    complexList("members", "Members of the group.", {
      subAttributes: [
        attribute("value", "Id of the member.", { ...immutable, caseExact: true, required: true }),
        attribute("$ref", "URL of the member.", { ...immutable, type: "reference", referenceTypes: ["User", "Group"] }),
        attribute("type", "Kind of the member.", { ...immutable, canonicalValues: ["User", "Group"] }),
        attribute("display", "Name of the member.", { mutability: "readOnly" }),
      ],
    }),
  ],
};
