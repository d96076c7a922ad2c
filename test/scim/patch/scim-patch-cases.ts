// The cases of scim-patch's tests as facts: what is sent and what comes out, in our words and on our schema. `name.nestedArray`, a list
// inside a complex value, is no SCIM (RFC 7643, 2.3.8); it stands at the top here.
import type { ScimType } from "../../../adapters/scim/schema/errors.js";

/** One case. */
export interface PatchCase {
  readonly name: string;
  /** Attributes of the user besides those of `scimPatchUser`. */
  readonly given?: Readonly<Record<string, unknown>>;
  readonly operations: readonly unknown[];
  /** Attributes afterwards; null says that there is none. */
  readonly expected?: Readonly<Record<string, unknown>>;
  readonly error?: ScimType;
  /** Why we do not do what scim-patch does. */
  readonly differs?: string;
}

const urn = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const email = { value: "spiderman@superheroes.com", primary: true };

/** The user of every case. */
export const scimPatchUser: Readonly<Record<string, unknown>> = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", urn],
  id: "tea_4",
  userName: "spiderman",
  name: { familyName: "Parker", givenName: "Peter" },
  active: true,
  emails: [email],
  meta: { resourceType: "User", created: "2019-11-20T09:25:30.208Z", lastModified: "2019-11-20T09:25:30.208Z" },
  [urn]: { organization: "value", department: "value" },
};

const unknownPath = "an unknown path is an error, never a silent 200 (issue 23)";
const onePrimary = "`primary` is true at most once (RFC 7643, 2.4)";

const [one, two] = [
  { value: "value1", primary: true },
  { value: "value2", primary: false },
];
const addresses = (newProperty?: string) =>
  [1, 2, 3, 4].map((number) => ({
    value: `addr${number}@email.com`,
    primary: number === 1,
    ...(newProperty !== undefined && { newProperty }),
  }));
const [first, ...others] = addresses();
const [firstPre, ...othersPre] = addresses("pre");
const [, ...othersPost] = addresses("post");

const replacements: readonly PatchCase[] = [
  { name: "replace: with path", operations: [{ op: "replace", value: false, path: "active" }], expected: { active: false } },
  {
    name: "replace: with the URN of the core schema",
    operations: [{ op: "replace", value: false, path: "urn:ietf:params:scim:schemas:core:2.0:User:active" }],
    expected: { active: false },
  },
  { name: "replace: without path", operations: [{ op: "replace", value: { active: false } }], expected: { active: false } },
  {
    name: "replace: a part with path",
    operations: [{ op: "replace", value: "toto", path: "name.familyName" }],
    expected: { name: { familyName: "toto", givenName: "Peter" } },
  },
  {
    name: "replace: a part in an object",
    operations: [{ op: "replace", value: { familyName: "toto" }, path: "name" }],
    expected: { name: { familyName: "toto", givenName: "Peter" } },
  },
  {
    name: "replace: parts of an extension without path",
    operations: [
      { op: "replace", value: { [`${urn}:organization`]: "newOrganization", [`${urn}:department`]: "newDepartment" } },
    ],
    expected: { [urn]: { organization: "newOrganization", department: "newDepartment" } },
  },
  {
    name: "replace: several, one with path",
    operations: [
      { op: "replace", value: { givenName: "titi", familyName: "toto" }, path: "name" },
      { op: "replace", value: { active: false } },
    ],
    expected: { name: { familyName: "toto", givenName: "titi" }, active: false },
  },
  {
    name: "replace: several with paths",
    operations: [
      { op: "replace", value: "titi", path: "name.givenName" },
      { op: "replace", value: { active: false } },
      { op: "replace", value: "toto", path: "name.familyName" },
    ],
    expected: { name: { familyName: "toto", givenName: "titi" }, active: false },
  },
  {
    name: "replace: the primary email",
    operations: [{ op: "replace", value: { value: "toto@toto.com", primary: true }, path: "emails[primary eq true]" }],
    expected: { emails: [{ value: "toto@toto.com", primary: true }] },
  },
  {
    name: "replace: a value that is not there",
    operations: [{ op: "replace", path: 'surName[value eq "bogus"]', value: "not added" }],
    error: "noTarget",
  },
  {
    name: "replace: a part of an address that is not there",
    given: { emails: undefined },
    operations: [{ op: "replace", path: 'addresses[type eq "work"].country', value: "Denmark" }],
    expected: { addresses: [{ type: "work", country: "Denmark" }] },
  },
  {
    name: "replace: the value of the primary email",
    operations: [{ op: "replace", value: "toto@toto.com", path: "emails[primary eq true].value" }],
    expected: { emails: [{ value: "toto@toto.com", primary: true }] },
  },
  {
    name: "replace: a value of a list",
    given: { nestedArray: [one] },
    operations: [{ op: "replace", value: { value: "value2", primary: true }, path: "nestedArray[primary eq true]" }],
    expected: { nestedArray: [{ value: "value2", primary: true }] },
  },
  {
    name: "replace: an unknown path",
    operations: [{ op: "replace", value: true, path: "unknown.toto" }],
    error: "invalidPath",
    differs: unknownPath,
  },
  {
    name: "replace: a complex attribute by a text",
    operations: [{ op: "replace", path: "name", value: "BATMAN" }],
    error: "invalidValue",
    differs: "a complex attribute holds an object (RFC 7643, 2.3.8)",
  },
  { name: "replace: capitalized", operations: [{ op: "Replace", value: { active: false } }], expected: { active: false } },
  {
    name: "replace: with the URN of the extension",
    operations: [{ op: "replace", value: "newValue", path: `${urn}:department` }],
    expected: { [urn]: { organization: "value", department: "newValue" } },
  },
  {
    name: "replace: a list by another",
    operations: [{ op: "replace", value: [{ value: "test2" }], path: "emails" }],
    expected: { emails: [{ value: "test2" }] },
  },
  {
    name: "replace: a part of a value that is not there, with treatMissingAsAdd: false",
    operations: [{ op: "replace", path: "surName[primary eq true].value", value: "surname" }],
    expected: { surName: [{ primary: true, value: "surname" }] },
    differs: "Entra expects the value to be created (the default of scim-patch too)",
  },
  {
    name: "replace: a part of a value that is not there",
    operations: [{ op: "replace", path: "surName[primary eq true].value", value: "surname" }],
    expected: { surName: [{ primary: true, value: "surname" }] },
  },
  {
    name: "replace: further parts of a selected value",
    given: { surName: [{ primary: true, value: "bogus" }] },
    operations: [{ op: "replace", path: 'surName[value eq "bogus"]', value: { additional: "additional" } }],
    expected: { surName: [{ primary: true, value: "bogus", additional: "additional" }] },
  },
  {
    name: "replace: further and other parts of a selected value",
    given: { surName: [{ primary: true, value: "bogus" }] },
    operations: [{ op: "replace", path: 'surName[value eq "bogus"]', value: { additional: "additional", value: "bogus2" } }],
    expected: { surName: [{ primary: true, value: "bogus2", additional: "additional" }] },
  },
  {
    name: "replace: a part of an address that is not there, with treatMissingAsAdd: false",
    operations: [{ op: "Replace", value: "1111 Street Rd", path: 'addresses[type eq "work"].formatted' }],
    expected: { addresses: [{ type: "work", formatted: "1111 Street Rd" }] },
    differs: "Entra expects the value to be created (the default of scim-patch too)",
  },
  {
    name: "replace: a filter with dots in its text",
    operations: [{ op: "Replace", value: "batman@superheroes.com", path: 'emails[value eq "spiderman@superheroes.com"].value' }],
    expected: { emails: [{ value: "batman@superheroes.com", primary: true }] },
  },
  {
    name: "replace: leaves the given object",
    operations: [{ op: "replace", value: false, path: "active" }],
    expected: { active: false },
  },
  {
    name: "replace: a part of all values",
    given: { emails: [firstPre, ...othersPre] },
    operations: [{ op: "replace", value: "post", path: "emails.newProperty" }],
    expected: { emails: addresses("post") },
  },
  {
    name: "replace: a list by one object",
    given: { emails: [firstPre, ...othersPre] },
    operations: [{ op: "replace", value: { newProperty: "post" }, path: "emails" }],
    expected: { emails: [{ newProperty: "post" }] },
    differs: "without a filter, all values of the list are replaced (RFC 7644, 3.5.2.3)",
  },
  {
    name: "replace: a part of the values that match",
    given: { emails: [firstPre, ...othersPre] },
    operations: [{ op: "replace", value: "post", path: "emails[primary eq false].newProperty" }],
    expected: { emails: [firstPre, ...othersPost] },
  },
  {
    name: "replace: parts of the values that match, in an object",
    given: { emails: [firstPre, ...othersPre] },
    operations: [{ op: "replace", value: { newProperty: "post" }, path: "emails[primary eq false]" }],
    expected: { emails: [firstPre, ...othersPost] },
  },
  {
    name: "replace: a text by an empty object",
    operations: [{ op: "replace", value: {}, path: 'emails[type eq "work"].value' }],
    error: "invalidValue",
    differs: "the value of an email is a text (RFC 7643, 4.1.2)",
  },
  {
    name: "replace: a complex attribute by an empty object",
    operations: [{ op: "replace", value: {}, path: "name" }],
    expected: { name: { familyName: "Parker", givenName: "Peter" } },
  },
];

const additions: readonly PatchCase[] = [
  { name: "add: without path", operations: [{ op: "add", value: { newProperty: "new" } }], expected: { newProperty: "new" } },
  { name: "add: with path", operations: [{ op: "add", value: "new", path: "newProperty" }], expected: { newProperty: "new" } },
  {
    name: "add: a part with path",
    operations: [{ op: "add", value: "toto", path: "name.newProperty" }],
    expected: { name: { familyName: "Parker", givenName: "Peter", newProperty: "toto" } },
  },
  {
    name: "add: a part in an object",
    operations: [{ op: "add", value: { newProperty: "toto" }, path: "name" }],
    expected: { name: { familyName: "Parker", givenName: "Peter", newProperty: "toto" } },
  },
  {
    name: "add: a part of an extension without path",
    operations: [{ op: "add", value: { [`${urn}:division`]: "newDivision" } }],
    expected: { [urn]: { organization: "value", department: "value", division: "newDivision" } },
  },
  {
    name: "add: several, one with path",
    operations: [
      { op: "add", value: { newProperty1: "toto", newProperty2: "titi" }, path: "name" },
      { op: "add", value: { newProperty3: "tata" } },
    ],
    expected: {
      name: { familyName: "Parker", givenName: "Peter", newProperty1: "toto", newProperty2: "titi" },
      newProperty3: "tata",
    },
  },
  {
    name: "add: several with paths",
    operations: [
      { op: "replace", value: "toto", path: "name.newProperty1" },
      { op: "replace", value: { newProperty3: "titi" } },
      { op: "replace", value: "tata", path: "name.newProperty2" },
    ],
    expected: {
      name: { familyName: "Parker", givenName: "Peter", newProperty1: "toto", newProperty2: "tata" },
      newProperty3: "titi",
    },
  },
  {
    name: "add: parts to the primary email",
    operations: [{ op: "add", value: { newProperty1: "toto", newProperty2: "titi" }, path: "emails[primary eq true]" }],
    expected: { emails: [{ ...email, newProperty1: "toto", newProperty2: "titi" }] },
  },
  {
    name: "add: one part to the primary email",
    operations: [{ op: "add", value: "toto@toto.com", path: "emails[primary eq true].newProperty" }],
    expected: { emails: [{ ...email, newProperty: "toto@toto.com" }] },
  },
  {
    name: "add: parts to a value of a list",
    given: { nestedArray: [one] },
    operations: [{ op: "add", value: { newProperty1: "toto", newProperty2: "titi" }, path: "nestedArray[primary eq true]" }],
    expected: { nestedArray: [{ ...one, newProperty1: "toto", newProperty2: "titi" }] },
  },
  {
    name: "add: a value to a list",
    given: { name: { surName2: ["toto", "titi"] } },
    operations: [{ op: "add", value: "tata", path: "name.surName2" }],
    expected: { name: { surName2: ["toto", "titi", "tata"] } },
  },
  {
    name: "add: a single value takes the place of the old one",
    given: { name: { surName3: "surName" } },
    operations: [{ op: "add", value: "tata", path: "name.surName3" }],
    expected: { name: { surName3: "tata" } },
  },
  {
    name: "add: a value to a list, the others stay",
    given: { name: { surName2: ["toto", "titi"] } },
    operations: [{ op: "add", value: ["tata"], path: "name.surName2" }],
    expected: { name: { surName2: ["toto", "titi", "tata"] } },
  },
  {
    name: "add: a value that is there already",
    given: { name: { surName2: ["toto", "titi"] } },
    operations: [{ op: "add", value: "titi", path: "name.surName2" }],
    expected: { name: { surName2: ["toto", "titi"] } },
  },
  { name: "add: a text to a complex attribute", operations: [{ op: "add", path: "name", value: "titi" }], error: "invalidValue" },
  {
    name: "add: a filter with an unknown part",
    given: { nestedArray: [one] },
    operations: [{ op: "add", value: { newProperty1: "toto" }, path: "nestedArray[toto eq true]" }],
    error: "invalidPath",
    differs: unknownPath,
  },
  { name: "add: capitalized", operations: [{ op: "Add", value: { newProperty: "new" } }], expected: { newProperty: "new" } },
  {
    name: "add: the first attribute of an extension",
    given: { [urn]: undefined },
    operations: [{ op: "add", value: "newValue", path: `${urn}:department` }],
    expected: { [urn]: { department: "newValue" } },
  },
  {
    name: "add: a list of one",
    operations: [{ op: "Add", value: [{ value: "test2" }], path: "emails" }],
    expected: { emails: [email, { value: "test2" }] },
  },
  {
    name: "add: a list that is there already",
    operations: [{ op: "Add", value: [email], path: "emails" }],
    expected: { emails: [email] },
  },
  {
    name: "add: a part of a value, to no list (Entra)",
    operations: [{ op: "Add", value: "1111 Street Rd", path: 'addresses[type eq "work"].formatted' }],
    expected: { addresses: [{ type: "work", formatted: "1111 Street Rd" }] },
  },
  {
    name: "add: a part of a value, to a list (Entra)",
    given: { addresses: [{ type: "home", formatted: "2222 Avenue Blvd" }] },
    operations: [{ op: "Add", value: "1122 Street Rd", path: 'addresses[type eq "work"].formatted' }],
    expected: {
      addresses: [
        { type: "home", formatted: "2222 Avenue Blvd" },
        { type: "work", formatted: "1122 Street Rd" },
      ],
    },
  },
  {
    name: "add: a part of a value, to no list, in lower case",
    operations: [{ op: "add", value: "1122 Street Rd", path: 'addresses[type eq "work"].formatted' }],
    expected: { addresses: [{ type: "work", formatted: "1122 Street Rd" }] },
  },
  {
    name: "add: a part, by a filter that does not say how to create a value",
    operations: [{ op: "Add", value: "1111 Street Rd", path: 'addresses[type eq "work" or type eq "home"].formatted' }],
    error: "noTarget",
  },
  {
    name: "add: a quotation mark is open",
    operations: [{ op: "Add", value: "1111 Street Rd", path: 'addresses[type eq "work.formatted' }],
    error: "invalidPath",
  },
  {
    name: "add: a part of a value of another list",
    operations: [{ op: "Add", value: "1111 Street Rd", path: "nestedArray[primary eq true].newProperty1" }],
    expected: { nestedArray: [{ primary: true, newProperty1: "1111 Street Rd" }] },
  },
  {
    name: "add: dotted keys without path",
    operations: [
      {
        op: "add",
        value: { "name.givenName": "John", "name.familyName": "Doe", "name.formatted": "John Doe", "favorites.food": "lemon" },
      },
    ],
    expected: { name: { givenName: "John", familyName: "Doe", formatted: "John Doe" }, favorites: { food: "lemon" } },
  },
  {
    name: "add: to an attribute that is null",
    given: { newProperty: null },
    operations: [{ op: "add", path: "newProperty", value: "1" }],
    expected: { newProperty: "1" },
  },
  {
    name: "add: leaves the given object",
    operations: [{ op: "add", value: { newProperty: "new" } }],
    expected: { newProperty: "new" },
  },
  {
    name: "add: an object that is there already",
    operations: [{ op: "add", path: "emails", value: email }],
    expected: { emails: [email] },
  },
  {
    name: "add: a list with one object that is there already",
    operations: [{ op: "add", path: "emails", value: [email, { value: "batman@superheroes.com", primary: false }] }],
    expected: { emails: [email, { value: "batman@superheroes.com", primary: false }] },
  },
  {
    name: "add: a list without path, all of it primary",
    operations: [
      {
        op: "add",
        value: {
          emails: [
            { value: "batman@superheroes.com", primary: true },
            { value: "superman@superheroes.com", primary: true },
          ],
        },
      },
    ],
    error: "invalidValue",
    differs: onePrimary,
  },
  {
    name: "add: one value of a list without path",
    operations: [{ op: "add", value: { emails: { value: "batman@superheroes.com", primary: true } } }],
    expected: {
      emails: [
        { value: "spiderman@superheroes.com", primary: false },
        { value: "batman@superheroes.com", primary: true },
      ],
    },
  },
  {
    name: "add: a part of the values that match",
    given: { emails: addresses() },
    operations: [{ op: "add", value: "post", path: "emails[primary eq false].newProperty" }],
    expected: { emails: [first, ...othersPost] },
  },
  {
    name: "add: parts of the values that match, in an object",
    given: { emails: addresses() },
    operations: [{ op: "add", value: { newProperty: "post" }, path: "emails[primary eq false]" }],
    expected: { emails: [first, ...othersPost] },
  },
  {
    name: "add: an empty object to a complex attribute",
    operations: [{ op: "add", value: {}, path: "name" }],
    expected: { name: { familyName: "Parker", givenName: "Peter" } },
  },
];

const removals: readonly PatchCase[] = [
  { name: "remove: without path", operations: [{ op: "remove" }], error: "noTarget" },
  { name: "remove: with path", operations: [{ op: "remove", path: "active" }], expected: { active: null } },
  { name: "remove: a part", operations: [{ op: "remove", path: "name.familyName" }], expected: { name: { givenName: "Peter" } } },
  { name: "remove: a complex attribute", operations: [{ op: "remove", path: "name" }], expected: { name: null } },
  {
    name: "remove: several",
    operations: [
      { op: "remove", path: "name" },
      { op: "remove", path: "active" },
    ],
    expected: { name: null, active: null },
  },
  {
    name: "remove: the value of the primary email",
    operations: [{ op: "remove", path: "emails[primary eq true].value" }],
    expected: { emails: [{ primary: true }] },
  },
  {
    name: "remove: a value of a list",
    given: { nestedArray: [one, two] },
    operations: [{ op: "remove", path: "nestedArray[primary eq true]" }],
    expected: { nestedArray: [two] },
  },
  {
    name: "remove: a value of an attribute that is no list",
    operations: [{ op: "remove", path: "name.randomField", value: [] }],
    expected: { name: { familyName: "Parker", givenName: "Peter" } },
    differs: "`remove` has no value, and one that is given says nothing about a single value (RFC 7644, 3.5.2.2)",
  },
  {
    name: "remove: a list in a list",
    given: { nestedArray: [one, two] },
    operations: [{ op: "remove", path: "nestedArray", value: [[]] }],
    error: "invalidValue",
  },
  {
    name: "remove: one value by a list",
    given: { nestedArray: [one, two] },
    operations: [{ op: "remove", path: "nestedArray", value: [two] }],
    expected: { nestedArray: [one] },
  },
  {
    name: "remove: several values by a list",
    given: { nestedArray: [one, two, two, two, { ...two, value: "value3" }, { ...two, value: "value3" }] },
    operations: [{ op: "remove", path: "nestedArray", value: [two, { ...two, value: "value3" }] }],
    expected: { nestedArray: [one] },
  },
  {
    name: "remove: a value that is not there",
    given: { nestedArray: [one, two, { ...two, value: "value3" }] },
    operations: [{ op: "remove", path: "nestedArray", value: [{ ...two, value: "value4" }] }],
    expected: { nestedArray: [one, two, { ...two, value: "value3" }] },
  },
  {
    name: "remove: one value by a list, again",
    given: { nestedArray: [one, two] },
    operations: [{ op: "remove", path: "nestedArray", value: [{ primary: false, value: "value2" }] }],
    expected: { nestedArray: [one] },
  },
  {
    name: "remove: several values by one object",
    given: { nestedArray: [one, two, two, two] },
    operations: [{ op: "remove", path: "nestedArray", value: two }],
    expected: { nestedArray: [one] },
  },
  {
    name: "remove: a text of a list by a list",
    given: { name: { surName2: ["value1", "value2"] } },
    operations: [{ op: "remove", path: "name.surName2", value: ["value2"] }],
    expected: { name: { surName2: ["value1"] } },
  },
  {
    name: "remove: a text of a list by a text",
    given: { name: { surName2: ["value1", "value2"] } },
    operations: [{ op: "remove", path: "name.surName2", value: "value2" }],
    expected: { name: { surName2: ["value1"] } },
  },
  {
    name: "remove: a text that is not there",
    given: { name: { surName2: ["value1", "value2"] } },
    operations: [{ op: "remove", path: "name.surName2", value: ["value3"] }],
    expected: { name: { surName2: ["value1", "value2"] } },
  },
  {
    name: "remove: the last value",
    given: { nestedArray: [one] },
    operations: [{ op: "remove", path: "nestedArray[primary eq true]" }],
    expected: { nestedArray: null },
  },
  { name: "remove: capitalized", operations: [{ op: "Remove", path: "active" }], expected: { active: null } },
  {
    name: "remove: a part of an extension",
    operations: [{ op: "remove", path: `${urn}:department` }],
    expected: { [urn]: { organization: "value" } },
  },
  {
    name: "remove: an unknown path",
    operations: [{ op: "remove", path: "someField.level_1_depth.level_2_depth.final_depth" }],
    error: "invalidPath",
    differs: unknownPath,
  },
  { name: "remove: leaves the given object", operations: [{ op: "remove", path: "active" }], expected: { active: null } },
  {
    name: "remove: a part of all values",
    given: { emails: addresses("pre") },
    operations: [{ op: "remove", path: "emails.newProperty" }],
    expected: { emails: addresses() },
  },
  {
    name: "remove: a part of the values that match",
    given: { emails: addresses("pre") },
    operations: [{ op: "remove", path: "emails[primary eq false].newProperty" }],
    expected: { emails: [firstPre, ...others] },
  },
];

const refusals: readonly PatchCase[] = [
  { name: "refused: an unknown operation", operations: [{ op: "delete", value: true, path: "active" }], error: "invalidSyntax" },
  {
    name: "refused: a filter without value",
    operations: [{ op: "replace", value: true, path: "emails[name eq]" }],
    error: "invalidPath",
  },
  {
    name: "refused: a filter without end",
    operations: [{ op: "replace", value: true, path: 'emails[name eq "toto"' }],
    error: "invalidPath",
  },
  {
    name: "refused: a filter behind a single value",
    operations: [{ op: "replace", value: true, path: 'username[name eq "toto"]' }],
    error: "invalidPath",
  },
  {
    name: "refused: a filter with a stray mark",
    operations: [{ op: "replace", value: true, path: "emails[' eq true].value" }],
    error: "invalidPath",
  },
];

/** All cases of operations. */
export const scimPatchCases: readonly PatchCase[] = [...replacements, ...additions, ...removals, ...refusals];

const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];

/** Whole bodies, and how they are refused; undefined for those that are not. */
export const scimPatchBodies: readonly { readonly name: string; readonly body: unknown; readonly error?: ScimType }[] = [
  { name: "without schemas", body: { Operations: [{ op: "replace", value: false, path: "active" }] }, error: "invalidSyntax" },
  { name: "without operations", body: { schemas }, error: "invalidSyntax" },
  {
    name: "an unknown operation",
    body: { schemas, Operations: [{ op: "toto", value: false, path: "active" }] },
    error: "invalidSyntax",
  },
  {
    name: "an operation that is no text",
    body: { schemas, Operations: [{ op: 123, value: false, path: "active" }] },
    error: "invalidSyntax",
  },
  { name: "remove without path", body: { schemas, Operations: [{ op: "remove" }] }, error: "noTarget" },
  { name: "add without value", body: { schemas, Operations: [{ op: "add", path: "active" }] }, error: "invalidValue" },
  {
    name: "a path that is no text",
    body: { schemas, Operations: [{ op: "add", path: true, value: "toto" }] },
    error: "invalidPath",
  },
  {
    name: "add without path",
    body: { schemas, Operations: [{ op: "add", value: { "name.givenName": "John", "name.familyName": "Doe" } }] },
  },
  { name: "no operations", body: { schemas, Operations: [] }, error: "invalidSyntax" },
  {
    name: "operations that are no list",
    body: { schemas, Operations: { op: "add", path: "members", value: {} } },
    error: "invalidSyntax",
  },
];
