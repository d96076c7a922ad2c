/** Paths of members by section. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** Returns the members that only other record types name, so that the form of this type can hide them. */
export function findForeign(types: Readonly<Record<string, Sections>>, name: string): readonly string[] {
  const own = new Set(pathsOf(types[name] ?? {}));
  const all = new Set(Object.values(types).flatMap(pathsOf));
  return [...all].filter((path) => !own.has(path));
}

function pathsOf(sections: Sections): readonly string[] {
  return Object.values(sections).flat();
}
