/** A search for users by the start of their names or addresses, as a query text. */
export function toUserQuery(text: string): string {
  const word = text.trim().replace(/["\\*]/g, "");
  if (word === "") return "*";
  return ["email", "username", "fullName", "firstName", "lastName", "phoneNumber"]
    .map((field) => `${field}:"${word}*"`)
    .join(" OR ");
}
