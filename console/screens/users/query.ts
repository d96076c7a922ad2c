import { toUserQuery } from "../../kit/user-query.js";

const hasGrammar = /[:()"]|\b(AND|OR|NOT)\b/;
const fields: Readonly<Record<string, string>> = {
  active: "active",
  application: "registrations.applicationId",
  group: "memberships.groupId",
  role: "registrations.roles",
};

/** Builds the API query from the typed text and the filters. Uses search grammar unchanged; other text is the start of a name. */
export function toQueryString(query: string, filters: Readonly<Record<string, string>>): string {
  const typed = query.trim();
  const text = hasGrammar.test(typed) ? typed : toUserQuery(typed);
  const chosen = Object.entries(filters).flatMap(([id, value]) => {
    const field = fields[id];
    return field === undefined ? [] : [`${field}:"${value.replace(/["\\]/g, "")}"`];
  });
  if (chosen.length === 0) return text;
  return [...(text === "*" ? [] : [`(${text})`]), ...chosen].join(" AND ");
}
