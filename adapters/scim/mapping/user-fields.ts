/** Parts of `name` that are fields of the API's user. */
export const nameFields = {
  formatted: "fullName",
  givenName: "firstName",
  middleName: "middleName",
  familyName: "lastName",
} as const;

/** Attributes of users that `data.scim` does not hold under their own names, or not alone. */
export const mappedUserAttributes: ReadonlySet<string> = new Set([
  "userName",
  "name",
  "active",
  "password",
  "timezone",
  "preferredLanguage",
  "emails",
  "phoneNumbers",
  "photos",
  "groups",
]);

/** Attributes of groups that `data.scim` does not hold. */
export const mappedGroupAttributes: ReadonlySet<string> = new Set(["displayName", "members"]);

/** Paths of SCIM attributes by the paths that errors of the API name, for users. */
export const userFieldPaths: Readonly<Record<string, string>> = {
  "user.username": "userName",
  "user.email": "emails.value",
  "user.firstName": "name.givenName",
  "user.lastName": "name.familyName",
  "user.middleName": "name.middleName",
  "user.fullName": "name.formatted",
  "user.mobilePhone": "phoneNumbers.value",
  "user.imageUrl": "photos.value",
  "user.timezone": "timezone",
  "user.preferredLanguages": "preferredLanguage",
  "user.password": "password",
};

/** Paths of SCIM attributes by the paths that errors of the API name, for groups. */
export const groupFieldPaths: Readonly<Record<string, string>> = {
  "group.name": "displayName",
};
