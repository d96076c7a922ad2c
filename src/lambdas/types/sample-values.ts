import type { LambdaContext } from "./lambda-arguments.js";
import type {
  LambdaClaims,
  LambdaEntity,
  LambdaGroup,
  LambdaGroupMember,
  LambdaRegistration,
  LambdaUser,
  PersonClaims,
  SamlResponse,
  ScimGroup,
  ScimUser,
} from "./lambda-shapes.js";

/** The values that the sample arguments consist of. */

/** The same id for the same number. */
export const sampleId = (number: number): string => `a0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** 2030-01-01T00:00:00Z. */
const instant = 1_893_456_000_000;

/** The same in seconds. */
export const seconds: number = instant / 1_000;
const [tenantId, userId, registrationId, groupId] = [sampleId(1), sampleId(3), sampleId(4), sampleId(5)];

/** The application of the login. */
export const applicationId: string = sampleId(2);

/** A registration to the application. */
export const registration: LambdaRegistration = {
  id: registrationId,
  applicationId,
  data: { plan: "team", seats: 5 },
  insertInstant: instant,
  lastLoginInstant: instant,
  lastUpdateInstant: instant,
  preferredLanguages: ["en"],
  roles: ["editor", "reader"],
  tokens: {},
  username: "ada",
  verified: true,
};

/** A user of the tenant. */
export const user: LambdaUser = {
  id: userId,
  tenantId,
  active: true,
  birthDate: "1985-12-10",
  data: { color: "green", department: "Engines", address: { city: "London", zip: "EC1A" } },
  email: "ada@example.com",
  firstName: "Ada",
  fullName: "Ada Lovelace",
  imageUrl: "https://example.com/ada.png",
  insertInstant: instant,
  lastLoginInstant: instant,
  lastName: "Lovelace",
  lastUpdateInstant: instant,
  memberships: [{ id: sampleId(7), groupId, data: {} }],
  mobilePhone: "+441234567890",
  passwordChangeRequired: false,
  preferredLanguages: ["en", "fr"],
  registrations: [registration],
  timezone: "Europe/London",
  username: "ada",
  verified: true,
};

/** The claims of the user's token. */
export const jwt: LambdaClaims = {
  applicationId,
  aud: applicationId,
  auth_time: seconds,
  authenticationType: "PASSWORD",
  email: "ada@example.com",
  email_verified: true,
  exp: seconds + 3_600,
  iat: seconds,
  iss: "https://id.example.com",
  jti: sampleId(6),
  preferred_username: "ada",
  roles: ["editor", "reader"],
  sub: userId,
  tid: tenantId,
};

/** The same person at an identity provider. */
export const person: PersonClaims = {
  aud: "client-of-the-provider",
  email: "ada@provider.example",
  email_verified: true,
  exp: seconds + 3_600,
  family_name: "Lovelace",
  given_name: "Ada",
  groups: ["engineering"],
  iat: seconds,
  iss: "https://provider.example",
  locale: "en-GB",
  name: "Ada Lovelace",
  picture: "https://provider.example/ada.png",
  preferred_username: "ada.l",
  sub: "248289761001",
};

/** The SAML response of a provider about the person. */
export const samlResponse: SamlResponse = {
  assertion: {
    attributes: {
      department: ["Engines"],
      email: ["ada@provider.example"],
      firstName: ["Ada"],
      groups: ["engineering", "writers"],
      lastName: ["Lovelace"],
    },
    conditions: { audiences: ["https://id.example.com/saml"], notBefore: instant, notOnOrAfter: instant + 300_000 },
    subject: { nameIDs: [{ format: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress", id: "ada@provider.example" }] },
  },
  destination: "https://id.example.com/saml/acs",
  id: "_4f1c0b7e",
  inResponseTo: "_9d2a6c31",
  issueInstant: instant,
  issuer: "https://provider.example",
  sessionIndex: "_77aa",
};

const scimMeta = { created: "2030-01-01T00:00:00Z", lastModified: "2030-01-01T00:00:00Z" };

/** The user in the form of a SCIM client. */
export const scimUser: ScimUser = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
  active: true,
  displayName: "Ada Lovelace",
  emails: [{ value: "ada@example.com", type: "work", primary: true }],
  externalId: "ada-1",
  locale: "en-GB",
  meta: { ...scimMeta, resourceType: "User" },
  name: { familyName: "Lovelace", formatted: "Ada Lovelace", givenName: "Ada" },
  phoneNumbers: [{ value: "+441234567890", type: "mobile" }],
  preferredLanguage: "en",
  timezone: "Europe/London",
  "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "Engines", employeeNumber: "1" },
  userName: "ada",
};

/** A group in the form of a SCIM client. */
export const scimGroup: ScimGroup = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
  displayName: "Editors",
  externalId: "editors",
  members: [{ value: userId, display: "Ada Lovelace", type: "User" }],
  meta: { ...scimMeta, resourceType: "Group" },
};

/** A group of users. */
export const group: LambdaGroup = { id: groupId, tenantId, name: "Editors", data: { costCenter: "7" }, insertInstant: instant };
/** The members of the group. */
export const members: LambdaGroupMember[] = [{ id: sampleId(7), userId, data: {} }];

/** An entity that requests a token. */
export const recipientEntity: LambdaEntity = {
  id: sampleId(8),
  name: "Reports",
  clientId: "reports",
  data: { team: "Engines" },
  tenantId,
  type: { id: sampleId(9), name: "Service" },
};

/** The entity that the token is for. */
export const targetEntity: LambdaEntity = {
  ...recipientEntity,
  id: sampleId(10),
  name: "Ledger",
  clientId: "ledger",
  data: { region: "eu" },
};

/** The context of the call. */
export const context: Required<LambdaContext> = {
  tenant: { id: tenantId, name: "Example", data: { region: "eu" }, issuer: "https://id.example.com" },
  application: { id: applicationId, name: "Workshop", data: { theme: "dark" } },
  eventInfo: { ipAddress: "192.0.2.1", userAgent: "Mozilla/5.0" },
};
