/** The names on the way to a member of JSON. Never anything else: they become a part of SQL. */
export function splitPath(path: string): readonly string[] {
  const names = path.split(".");
  if (!names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))) throw new Error(`${path} is no path of a member.`);
  return names;
}

/** Texts of more characters have no value as a column: Postgres takes so much into an index, beside others. */
export const maxMemberLength = 100;
