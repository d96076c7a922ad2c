/** Parts of `name` with a field of the API's user. */
export const nameFields = {
  formatted: "fullName",
  givenName: "firstName",
  middleName: "middleName",
  familyName: "lastName",
} as const;

/** User attributes that `data.scim` does not store, or not unchanged under their own names. */
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

/** Group attributes that `data.scim` does not store. */
export const mappedGroupAttributes: ReadonlySet<string> = new Set(["displayName", "members"]);

/** SCIM attributes by the field paths in the API's errors, for users. */
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

/** SCIM attributes by the field paths in the API's errors, for groups. */
export const groupFieldPaths: Readonly<Record<string, string>> = {
  "group.name": "displayName",
};
