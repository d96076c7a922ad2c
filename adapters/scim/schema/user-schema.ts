import { attribute, complex, complexList, valueList } from "./define-attribute.js";
import type { ScimSchema } from "./types.js";

const readOnly = { mutability: "readOnly" } as const;

/** URN of the core User schema. */
export const userSchemaId = "urn:ietf:params:scim:schemas:core:2.0:User";

/** URN of the Enterprise User extension. */
export const enterpriseSchemaId = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

const name = complex("name", "The parts of the user's name.", [
  attribute("formatted", "The whole name, as people write it."),
  attribute("familyName", "Family name."),
  attribute("givenName", "Given name."),
  attribute("middleName", "Middle names."),
  attribute("honorificPrefix", "Title before the name."),
  attribute("honorificSuffix", "Suffix after the name."),
]);

const addresses = complexList("addresses", "Postal addresses.", {
  subAttributes: [
    attribute("formatted", "The whole address, with line breaks."),
    attribute("streetAddress", "Street, house number, apartment."),
    attribute("locality", "City."),
    attribute("region", "State or region."),
    attribute("postalCode", "Postal code."),
    attribute("country", "Country."),
    attribute("type", "What the address is used for.", { canonicalValues: ["work", "home", "other"] }),
    attribute("primary", "Whether this address is the preferred one; true at most once.", { type: "boolean" }),
  ],
});

const groups = complexList("groups", "Groups that the user is a member of. Change it through the group.", {
  ...readOnly,
  subAttributes: [
    attribute("value", "Id of the group.", readOnly),
    attribute("$ref", "URL of the group.", { ...readOnly, type: "reference", referenceTypes: ["Group"] }),
    attribute("display", "Name of the group.", readOnly),
    attribute("type", "Whether the membership is direct.", { ...readOnly, canonicalValues: ["direct", "indirect"] }),
  ],
});

/** The core User schema (RFC 7643, 4.1). */
export const userSchema: ScimSchema = {
  id: userSchemaId,
  name: "User",
  description: "User account",
  attributes: [
    attribute("userName", "Name with which the user signs in.", { required: true, uniqueness: "server" }),
    name,
    attribute("displayName", "Name of the user as applications show it."),
    attribute("nickName", "Casual name of the user."),
    attribute("profileUrl", "URL of the user's profile.", { type: "reference", referenceTypes: ["external"] }),
    attribute("title", "Job title."),
    attribute("userType", "Relationship between the organization and the user."),
    attribute("preferredLanguage", "Languages that the user reads, as in Accept-Language."),
    attribute("locale", "Language tag for dates, numbers and currencies."),
    attribute("timezone", "Time zone in the IANA database, such as Europe/Paris."),
    attribute("active", "Whether the user may sign in.", { type: "boolean" }),
    attribute("password", "New password in plain text. Never returned.", {
      mutability: "writeOnly",
      returned: "never",
      caseExact: true,
    }),
    valueList("emails", "E-mail addresses.", { types: ["work", "home", "other"] }),
    valueList("phoneNumbers", "Telephone numbers.", { types: ["work", "home", "mobile", "fax", "pager", "other"] }),
    valueList("ims", "Instant messaging addresses.", {}),
    valueList("photos", "URLs of photos.", { types: ["photo", "thumbnail"], type: "reference", referenceTypes: ["external"] }),
    addresses,
    groups,
    valueList("entitlements", "Things that the user is entitled to."),
    valueList("roles", "Roles of the user."),
    valueList("x509Certificates", "X.509 certificates.", { type: "binary", caseExact: true }),
  ],
};

/** The Enterprise User extension (RFC 7643, 4.3). */
export const enterpriseSchema: ScimSchema = {
  id: enterpriseSchemaId,
  name: "EnterpriseUser",
  description: "Attributes of a user who belongs to an organization",
  attributes: [
    attribute("employeeNumber", "Number or code of the employee."),
    attribute("costCenter", "Cost center."),
    attribute("organization", "Organization."),
    attribute("division", "Division."),
    attribute("department", "Department."),
    complex("manager", "Manager of the user.", [
      attribute("value", "Id of the manager."),
      attribute("$ref", "URL of the manager.", { type: "reference", referenceTypes: ["User"] }),
      attribute("displayName", "Name of the manager.", readOnly),
    ]),
  ],
};
