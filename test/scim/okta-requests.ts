// The twelve requests of Okta's SCIM 2.0 specification test and what it expects, in our words. `{name}` stands for a value that the test
// makes (`userName`, `email`, `givenName`, `familyName`) or that an earlier response gave (`firstId`, `createdId`).

/** What a response must have: exactly this, or any value that is not empty. */
export type Expected = { readonly equals: unknown } | { readonly contains: string } | "notEmpty";

/** One request. */
export interface OktaRequest {
  readonly name: string;
  readonly method: "GET" | "POST";
  /** Path below the base URL, with the query not encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** Whether it is sent with a token that is not valid. */
  readonly isUnauthorized?: boolean;
  readonly status: number;
  /** What the body must have, by dotted path; numbers are places in a list. */
  readonly expected?: Readonly<Record<string, Expected>>;
  /** What later requests need of the body: name to dotted path. */
  readonly saves?: Readonly<Record<string, string>>;
}

const list = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const error = "urn:ietf:params:scim:api:messages:2.0:Error";
const core = "urn:ietf:params:scim:schemas:core:2.0:User";

const noUser = { schemas: { contains: list }, totalResults: { equals: 0 } } as const;
const notFound = { detail: "notEmpty", schemas: { contains: error } } as const;

const profile = {
  id: "notEmpty",
  userName: "notEmpty",
  active: "notEmpty",
  "name.familyName": "notEmpty",
  "name.givenName": "notEmpty",
  "emails.0.value": "notEmpty",
} as const;

const inList = Object.fromEntries(Object.entries(profile).map(([path, expected]) => [`Resources.0.${path}`, expected]));

const created = {
  schemas: [core],
  userName: "{userName}",
  name: { givenName: "{givenName}", familyName: "{familyName}" },
  emails: [{ primary: true, value: "{email}", type: "work" }],
  displayName: "{givenName} {familyName}",
  active: true,
};

const names = {
  userName: { equals: "{userName}" },
  "name.familyName": { equals: "{familyName}" },
  "name.givenName": { equals: "{givenName}" },
} as const;

/** The requests in their order. One user must exist before the first. */
export const oktaRequests: readonly OktaRequest[] = [
  {
    name: "the first user of a list",
    method: "GET",
    path: "/Users?count=1&startIndex=1",
    status: 200,
    expected: {
      ...inList,
      schemas: { contains: list },
      itemsPerPage: { equals: 1 },
      startIndex: { equals: 1 },
      totalResults: "notEmpty",
    },
    saves: { firstId: "Resources.0.id" },
  },
  {
    name: "that user by id",
    method: "GET",
    path: "/Users/{firstId}",
    status: 200,
    expected: { ...profile, id: { equals: "{firstId}" } },
  },
  {
    name: "a user name that nobody has",
    method: "GET",
    path: '/Users?filter=userName eq "abcdefgh@atko.example"',
    status: 200,
    expected: noUser,
  },
  {
    name: "an id that nobody has",
    method: "GET",
    path: "/Users/010101001010101011001010101011",
    status: 404,
    expected: notFound,
  },
  { name: "a new user name is free", method: "GET", path: '/Users?filter=userName eq "{email}"', status: 200, expected: noUser },
  {
    name: "a new user",
    method: "POST",
    path: "/Users",
    body: created,
    status: 201,
    expected: { ...names, id: "notEmpty", active: { equals: true }, schemas: { contains: core } },
    saves: { createdId: "id" },
  },
  { name: "the new user by id", method: "GET", path: "/Users/{createdId}", status: 200, expected: names },
  { name: "the same user again", method: "POST", path: "/Users", body: created, status: 409 },
  { name: "a user name in capitals", method: "GET", path: '/Users?filter=userName eq "{USERNAME}"', status: 200 },
  { name: "groups", method: "GET", path: "/Groups", status: 200, expected: { schemas: { contains: list } } },
  {
    name: "a token that is not valid",
    method: "GET",
    path: '/Users?filter=userName eq "{userName}"',
    isUnauthorized: true,
    status: 401,
    expected: { detail: "notEmpty", status: { equals: "401" }, schemas: { contains: error } },
  },
  {
    name: "another id that nobody has",
    method: "GET",
    path: "/Users/00919288221112222",
    status: 404,
    expected: { ...notFound, status: { equals: "404" } },
  },
];
