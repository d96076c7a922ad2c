// The user of scim-patch's tests: the core user with the attributes that those tests add.
import { attribute, complex, complexList } from "../../../adapters/scim/schema/define-attribute.js";
import { userType } from "../../../adapters/scim/schema/schemas.js";
import type { ResourceType, ScimAttribute } from "../../../adapters/scim/schema/types.js";

const primary = attribute("primary", "", { type: "boolean" });
const more = ["newProperty", "newProperty1", "newProperty2"].map((name) => attribute(name, ""));

const added: readonly ScimAttribute[] = [
  ...["newProperty", "newProperty3"].map((name) => attribute(name, "")),
  complex("favorites", "", [attribute("food", "")]),
  complexList("surName", "", { subAttributes: [attribute("value", ""), primary, attribute("additional", "")] }),
  complexList("nestedArray", "", { subAttributes: [attribute("value", ""), primary, ...more] }),
];

const ofName = [
  ...more,
  attribute("surName2", "", { multiValued: true }),
  attribute("surName3", ""),
  attribute("randomField", ""),
];

function extend(known: ScimAttribute): ScimAttribute {
  const { subAttributes = [] } = known;
  if (known.name === "name") return { ...known, subAttributes: [...subAttributes, ...ofName] };
  return known.name === "emails" ? { ...known, subAttributes: [...subAttributes, ...more] } : known;
}

/** The type of those resources. */
export const scimPatchType: ResourceType = {
  ...userType,
  schema: { ...userType.schema, attributes: [...userType.schema.attributes.map(extend), ...added] },
};
