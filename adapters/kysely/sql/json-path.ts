/** The names in the path of a JSON member, which become literal SQL. @throws Error for any other characters. */
export function splitPath(path: string): readonly string[] {
  const names = path.split(".");
  if (!names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))) throw new Error(`${path} is no path of a member.`);
  return names;
}

/** Longer texts, in characters, have no column value: the limit of a Postgres index entry beside other columns. */
export const maxMemberLength = 100;
