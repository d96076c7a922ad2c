import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../console");
const sources = globSync("{app,kit,screens}/**/*.{ts,tsx}", { cwd: root });

type Catalogue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The files of messages by namespace. */
function readCatalogues(locale: string): ReadonlyMap<string, Catalogue> {
  const read = (path: string): Catalogue => JSON.parse(readFileSync(join(root, path), "utf8"));
  const areas = globSync(`screens/*/messages.${locale}.json`, { cwd: root }).map((path) => [dirname(path), read(path)] as const);
  return new Map([["console", read(`messages/${locale}.json`)], ...areas]);
}

const [english, german] = [readCatalogues("en"), readCatalogues("de")];

test("German has the messages of English, with the same places and forms", () => {
  expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  for (const [name, messages] of english) {
    const places = (catalogue: Catalogue | undefined) =>
      Object.entries(catalogue ?? {}).map(([key, message]) => [key, typeof message, placesOf(message)]);
    expect([name, places(german.get(name)).sort()]).toEqual([name, places(messages).sort()]);
  }
});

function placesOf(message: Catalogue[string]): readonly string[] {
  const text = typeof message === "string" ? message : (message.other ?? "");
  return [...new Set([...text.matchAll(/\{\w+\}/g)].map(([place]) => place))].sort();
}

test("every key that a source names has a message", () => {
  const missing = sources.filter(hasMessages).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const hooks = [...text.matchAll(/const (\w+) = useMessages\("(\w+)"\)/g)];
    const namesOf = new Map<string, Set<string>>();
    for (const [, name = "", namespace = ""] of hooks) namesOf.set(name, (namesOf.get(name) ?? new Set()).add(namespace));
    const said = [...text.matchAll(/translate\("(\w+)", "([\w.-]+)"/g)].map(
      ([, namespace = "", key = ""]) => [[namespace], key] as const,
    );
    const called = [...text.matchAll(/\b(\w+)\("([\w.-]+)"/g)].flatMap(([, name = "", key = ""]) => {
      const namespaces = namesOf.get(name);
      return namespaces === undefined ? [] : [[[...namespaces], key] as const];
    });
    return [...said, ...called]
      .filter(([namespaces, key]) => !namespaces.some((one) => find(one, file)?.[key] !== undefined))
      .map(([, key]) => `${file}: ${key}`);
  });
  expect(missing).toEqual([]);
});

// Where an area has none yet, its type check says so.
function hasMessages(file: string): boolean {
  return !file.startsWith("screens/") || english.has(file.split("/").slice(0, 2).join("/"));
}

// An area's namespace is its name; several areas may share a folder.
function find(namespace: string, file: string): Catalogue | undefined {
  if (namespace === "console") return english.get("console");
  return english.get(`screens/${namespace}`) ?? english.get(file.split("/").slice(0, 2).join("/"));
}
