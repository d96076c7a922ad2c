/** The query string of a user search by prefix of an email address, username, name or phone number. */
export function toUserQuery(text: string): string {
  const word = text.trim().replace(/["\\*]/g, "");
  if (word === "") return "*";
  return ["email", "username", "fullName", "firstName", "lastName", "phoneNumber"]
    .map((field) => `${field}:"${word}*"`)
    .join(" OR ");
}
