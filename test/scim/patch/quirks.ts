// What directories really send where it differs from RFC 7643 and 7644, or where the RFCs leave a choice: the request and the state that
// it leads to. The server's tests send the same rows.

/** One request of a directory. */
export interface Quirk {
  readonly sender: "Okta" | "Entra" | "seen";
  readonly name: string;
  readonly type: "User" | "Group";
  /** POST and PUT send a resource, PATCH sends operations. */
  readonly method: "POST" | "PUT" | "PATCH";
  /** Attributes before a PATCH, besides the required ones of `quirkUser` and `quirkGroup`. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** The resource, or the operations of a PATCH. */
  readonly sent: unknown;
  /** Attributes afterwards; null says that there is none. */
  readonly expected: Readonly<Record<string, unknown>>;
}

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const userUrn = "urn:ietf:params:scim:schemas:core:2.0:User";
const groupUrn = "urn:ietf:params:scim:schemas:core:2.0:Group";

const [ann, bob, cid] = [
  "8a1e4e9c-1f4b-4d3c-9f55-000000000001",
  "8a1e4e9c-1f4b-4d3c-9f55-000000000002",
  "8a1e4e9c-1f4b-4d3c-9f55-000000000003",
];
const members = (...ids: readonly string[]) => ids.map((value) => ({ value }));

/** The user before a PATCH. */
export const quirkUser: Readonly<Record<string, unknown>> = { schemas: [userUrn], userName: "ann@example.com", active: true };

/** The group before a PATCH. */
export const quirkGroup: Readonly<Record<string, unknown>> = { schemas: [groupUrn], displayName: "Staff" };

const okta: readonly Quirk[] = [
  {
    sender: "Okta",
    name: "deactivates without path",
    type: "User",
    method: "PATCH",
    sent: [{ op: "replace", value: { active: false } }],
    expected: { active: false, userName: "ann@example.com" },
  },
  {
    sender: "Okta",
    name: "sets a password without path",
    type: "User",
    method: "PATCH",
    sent: [{ op: "replace", value: { password: "correct horse battery" } }],
    expected: { password: "correct horse battery" },
  },
  {
    sender: "Okta",
    name: "sends the id with the new name of a group",
    type: "Group",
    method: "PATCH",
    sent: [{ op: "replace", value: { id: "abf4dd94", displayName: "Crew" } }],
    expected: { displayName: "Crew", id: null },
  },
  {
    sender: "Okta",
    name: "adds members without type",
    type: "Group",
    method: "PATCH",
    given: { members: members(ann) },
    sent: [{ op: "add", path: "members", value: [{ value: bob, display: "bob@example.com" }] }],
    expected: { members: members(ann, bob) },
  },
  {
    sender: "Okta",
    name: "removes one member by a filter",
    type: "Group",
    method: "PATCH",
    given: { members: members(ann, bob) },
    sent: [{ op: "remove", path: `members[value eq "${ann}"]` }],
    expected: { members: members(bob) },
  },
  {
    sender: "Okta",
    name: "removes and adds in one request",
    type: "Group",
    method: "PATCH",
    given: { members: members(ann, bob) },
    sent: [
      { op: "remove", path: `members[value eq "${ann}"]` },
      { op: "add", path: "members", value: [{ value: cid, display: "cid@example.com" }] },
    ],
    expected: { members: members(bob, cid) },
  },
  {
    sender: "Okta",
    name: "replaces all members",
    type: "Group",
    method: "PATCH",
    given: { members: members(ann) },
    sent: [{ op: "replace", path: "members", value: members(bob, cid) }],
    expected: { members: members(bob, cid) },
  },
  {
    sender: "Okta",
    name: "puts a profile with id, meta and groups",
    type: "User",
    method: "PUT",
    sent: {
      schemas: [userUrn],
      id: "23a35c27",
      userName: "ann@example.com",
      name: { givenName: "Ann", middleName: "", familyName: "Other" },
      emails: [{ primary: true, value: "ann@example.com", type: "work", display: "ann@example.com" }],
      active: true,
      groups: [],
      meta: { resourceType: "User" },
    },
    expected: {
      id: null,
      groups: null,
      name: { givenName: "Ann", middleName: "", familyName: "Other" },
      emails: [{ primary: true, value: "ann@example.com", type: "work", display: "ann@example.com" }],
    },
  },
];

const entra: readonly Quirk[] = [
  {
    sender: "Entra",
    name: "capitalizes operations and sends booleans as texts",
    type: "User",
    method: "PATCH",
    sent: [{ op: "Replace", path: "active", value: "False" }],
    expected: { active: false },
  },
  {
    sender: "Entra",
    name: "removes members by a list of values",
    type: "Group",
    method: "PATCH",
    given: { members: members(ann, bob, cid) },
    sent: [{ op: "Remove", path: "members", value: members(ann, cid) }],
    expected: { members: members(bob) },
  },
  {
    sender: "Entra",
    name: "sets a part of an email that is not there",
    type: "User",
    method: "PATCH",
    sent: [{ op: "Add", path: 'emails[type eq "work"].value', value: "ann@example.com" }],
    expected: { emails: [{ type: "work", value: "ann@example.com" }] },
  },
  {
    sender: "Entra",
    name: "replaces a part of a phone number that is not there, beside another",
    type: "User",
    method: "PATCH",
    given: { phoneNumbers: [{ type: "home", value: "1" }] },
    sent: [{ op: "Replace", path: 'phoneNumbers[type eq "mobile"].value', value: "2" }],
    expected: {
      phoneNumbers: [
        { type: "home", value: "1" },
        { type: "mobile", value: "2" },
      ],
    },
  },
  {
    sender: "Entra",
    name: "sends dotted and URN keys without path",
    type: "User",
    method: "PATCH",
    given: { name: { givenName: "A", familyName: "B" } },
    sent: [
      {
        op: "Replace",
        value: {
          "name.givenName": "Ann",
          displayName: "Ann B",
          [`${enterprise}:department`]: "Ships",
          'emails[type eq "work"].value': "a@b.example",
        },
      },
    ],
    expected: {
      name: { givenName: "Ann", familyName: "B" },
      displayName: "Ann B",
      [enterprise]: { department: "Ships" },
      emails: [{ type: "work", value: "a@b.example" }],
    },
  },
  {
    sender: "Entra",
    name: "sends the extension as an object without path",
    type: "User",
    method: "PATCH",
    given: { [enterprise]: { costCenter: "7" } },
    sent: [{ op: "add", value: { [enterprise]: { department: "Ships" } } }],
    expected: { [enterprise]: { costCenter: "7", department: "Ships" } },
  },
  {
    sender: "Entra",
    name: "sends a manager as a bare text",
    type: "User",
    method: "PATCH",
    sent: [{ op: "Add", path: `${enterprise}:manager`, value: bob }],
    expected: { [enterprise]: { manager: { value: bob } } },
  },
  {
    sender: "Entra",
    name: "sends a manager as a list of one, without the URN",
    type: "User",
    method: "PATCH",
    sent: [{ op: "Add", path: "manager", value: [{ $ref: `../Users/${bob}`, value: bob }] }],
    expected: { [enterprise]: { manager: { $ref: `../Users/${bob}`, value: bob } } },
  },
  {
    sender: "Entra",
    name: "removes a manager",
    type: "User",
    method: "PATCH",
    given: { [enterprise]: { manager: { value: bob } } },
    sent: [{ op: "Remove", path: `${enterprise}:manager` }],
    expected: { [enterprise]: null },
  },
  {
    sender: "Entra",
    name: "adds a member that is there already",
    type: "Group",
    method: "PATCH",
    given: { members: members(ann) },
    sent: [{ op: "Add", path: "members", value: members(ann) }],
    expected: { members: members(ann) },
  },
  {
    sender: "Entra",
    name: "removes a member that is not there",
    type: "Group",
    method: "PATCH",
    given: { members: members(ann) },
    sent: [{ op: "Remove", path: "members", value: members(bob) }],
    expected: { members: members(ann) },
  },
  {
    sender: "Entra",
    name: "names the display text of a member displayName",
    type: "Group",
    method: "PATCH",
    sent: [{ op: "Add", path: "members", value: [{ value: ann, displayName: "Ann" }] }],
    expected: { members: members(ann) },
  },
  {
    sender: "Entra",
    name: "posts a group with the URI of another product",
    type: "Group",
    method: "POST",
    sent: {
      schemas: [groupUrn, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: "8aa1a0c0",
      displayName: "Crew",
      meta: { resourceType: "Group" },
    },
    expected: { schemas: [groupUrn], externalId: "8aa1a0c0", displayName: "Crew", meta: null },
  },
  {
    sender: "Entra",
    name: "posts a user with booleans as texts and a manager as a text",
    type: "User",
    method: "POST",
    sent: {
      schemas: [userUrn, enterprise],
      userName: "ann@example.com",
      active: "True",
      emails: [{ primary: "True", type: "work", value: "ann@example.com" }],
      [enterprise]: { manager: bob, employeeNumber: "12" },
      meta: { resourceType: "User", created: "2026-01-31T08:00:00.1234567Z" },
    },
    expected: {
      active: true,
      emails: [{ primary: true, type: "work", value: "ann@example.com" }],
      [enterprise]: { manager: { value: bob }, employeeNumber: "12" },
    },
  },
  {
    sender: "Entra",
    name: "sends a value of a list of one object (before its feature flag)",
    type: "User",
    method: "PATCH",
    sent: [{ op: "Replace", path: "displayName", value: [{ $ref: null, value: "Ann" }] }],
    expected: { displayName: "Ann" },
  },
  {
    sender: "Entra",
    name: "clears an attribute by null",
    type: "User",
    method: "PATCH",
    given: { title: "Captain" },
    sent: [{ op: "Replace", path: "title", value: null }],
    expected: { title: null },
  },
];

const seen: readonly Quirk[] = [
  {
    sender: "seen",
    name: "compares a part behind the brackets of a path",
    type: "User",
    method: "PATCH",
    given: {
      emails: [
        { value: "a@b.example", type: "work" },
        { value: "c@d.example", type: "work" },
      ],
    },
    sent: [{ op: "remove", path: 'emails[type eq "work"].value eq "c@d.example"' }],
    expected: { emails: [{ value: "a@b.example", type: "work" }] },
  },
  {
    sender: "seen",
    name: "names in any case, in paths and in values",
    type: "User",
    method: "PATCH",
    sent: [
      { OP: "ADD", PATH: "NAME.familyname", VALUE: "Other" },
      { op: "replace", value: { UserName: "bob@example.com", Emails: { Value: "b@b.example", TYPE: "work" } } },
    ],
    expected: { name: { familyName: "Other" }, userName: "bob@example.com", emails: [{ value: "b@b.example", type: "work" }] },
  },
  {
    sender: "seen",
    name: "removes an extension by its URN",
    type: "User",
    method: "PATCH",
    given: { [enterprise]: { department: "Ships", manager: { value: bob } } },
    sent: [{ op: "remove", path: enterprise }],
    expected: { [enterprise]: null, schemas: [userUrn] },
  },
  {
    sender: "seen",
    name: "removes no member by an empty list",
    type: "Group",
    method: "PATCH",
    given: { members: members(ann) },
    sent: [{ op: "remove", path: "members", value: [] }],
    expected: { members: members(ann) },
  },
  {
    sender: "seen",
    name: "empties a group by remove without value (RFC 7644)",
    type: "Group",
    method: "PATCH",
    given: { members: members(ann, bob) },
    sent: [{ op: "remove", path: "members" }],
    expected: { members: null },
  },
  {
    sender: "seen",
    name: "sends members as texts, one of them twice",
    type: "Group",
    method: "POST",
    sent: { schemas: [groupUrn], displayName: "Crew", members: [ann, bob, ann] },
    expected: { members: members(ann, bob) },
  },
];

/** All rows. */
export const quirks: readonly Quirk[] = [...okta, ...entra, ...seen];
