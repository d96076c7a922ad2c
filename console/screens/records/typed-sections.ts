/** Paths of members by section. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** The members that only other types of records name: a form of this type does not show them. */
export function findForeign(types: Readonly<Record<string, Sections>>, name: string): readonly string[] {
  const own = new Set(pathsOf(types[name] ?? {}));
  const all = new Set(Object.values(types).flatMap(pathsOf));
  return [...all].filter((path) => !own.has(path));
}

function pathsOf(sections: Sections): readonly string[] {
  return Object.values(sections).flat();
}
