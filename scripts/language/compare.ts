/** Holds findings against the limits and what is exempt from them. */
import type { Findings, LocatedFindings, PageFindings } from "./findings.ts";

/** The most that a page may have: words a sentence, passive sentences in percent, banned words. */
export const limits: PageFindings = { mean: 17, passive: 22, banned: 0 };

const measures = ["mean", "passive", "banned"] as const;
type Measure = (typeof measures)[number];

/** To one digit, upwards, so that a number is not over its own exemption. */
const roundUp = (value: number): number => Math.ceil(value * 10 - 1e-9) / 10;

/** How many places a fault shows: enough to begin with. */
const shownPlaces = 20;

/** What is neither within the limits nor exempt: a sentence for each, and its places on lines of their own. */
export function findFaults(found: LocatedFindings, exempt: Findings): readonly string[] {
  const pages = Object.keys(found.pages).flatMap((path) => pageFaults(found, path, exempt.pages[path]));
  const counts = Object.entries(found.counts)
    .filter(([label, count]) => count > (exempt.counts[label] ?? 0))
    .map(([label, count]) =>
      withPlaces(`${count} ${label}, at most ${exempt.counts[label] ?? 0} are allowed`, found.placesOf(label)),
    );
  const named = (kind: string, name: string): string =>
    withPlaces(`the ${kind} name ${name} has words that the vocabulary lacks`, found.placesOf(name));
  return [
    ...missing(found.names, exempt.names).map((name) => named("exported", name)),
    ...missing(found.files, exempt.files).map((name) => named("file", name)),
    ...pages,
    ...counts,
  ];
}

function withPlaces(fault: string, places: readonly string[]): string {
  const left = places.length - shownPlaces;
  return [fault, ...places.slice(0, shownPlaces), ...(left > 0 ? [`and ${left} more places`] : [])].join("\n  ");
}

const units: Readonly<Record<Measure, string>> = {
  mean: "words a sentence",
  passive: "% passive sentences",
  banned: "banned words",
};
/** How the places of each measure begin, after `path:line`. */
const marks: Readonly<Record<Measure, string>> = { mean: "long:", passive: "passive:", banned: "“" };

function pageFaults(found: LocatedFindings, path: string, exempt: PageFindings = limits): readonly string[] {
  const page = found.pages[path] ?? limits;
  const allowed = (measure: Measure): number => Math.max(limits[measure], exempt[measure]);
  return measures
    .filter((measure) => page[measure] > allowed(measure))
    .map((measure) => {
      const places = found.placesOf(path).filter((place) => place.replace(/^\S+ /, "").startsWith(marks[measure]));
      return withPlaces(
        `${path} has ${roundUp(page[measure])} ${units[measure]}, at most ${allowed(measure)} are allowed`,
        places,
      );
    });
}

const missing = (names: readonly string[], known: readonly string[]): readonly string[] => {
  const all = new Set(known);
  return names.filter((name) => !all.has(name));
};

/** What is exempt although nothing needs it any longer. */
export function findUnneeded(found: Findings, exempt: Findings): readonly string[] {
  const shrunk = shrink(exempt, found);
  return [
    ...missing(exempt.names, shrunk.names),
    ...missing(exempt.files, shrunk.files),
    ...missing(Object.keys(exempt.pages), Object.keys(shrunk.pages)),
    ...missing(Object.keys(exempt.counts), Object.keys(shrunk.counts)),
  ];
}

/** The exemptions without what is no longer needed. Nothing is added, and no number grows. */
export function shrink(exempt: Findings, found: Findings): Findings {
  const both = (names: readonly string[], others: readonly string[]): readonly string[] => {
    const all = new Set(others);
    return names.filter((name) => all.has(name));
  };
  const pages = Object.entries(exempt.pages).flatMap(([path, page]) => {
    const least = smallerPage(page, found.pages[path]);
    return least === undefined ? [] : [[path, least] as const];
  });
  const counts = Object.entries(exempt.counts)
    .map(([label, count]) => [label, Math.min(count, found.counts[label] ?? 0)] as const)
    .filter(([, count]) => count > 0);
  return {
    names: both(exempt.names, found.names),
    files: both(exempt.files, found.files),
    pages: Object.fromEntries(pages),
    counts: Object.fromEntries(counts),
  };
}

/** What a page still needs, at most what it had; nothing when it is within the limits. */
function smallerPage(exempt: PageFindings, found: PageFindings | undefined): PageFindings | undefined {
  if (found === undefined || measures.every((measure) => found[measure] <= limits[measure])) return;
  const needed = (measure: Measure): number => {
    return found[measure] <= limits[measure] ? 0 : Math.min(roundUp(found[measure]), roundUp(exempt[measure]));
  };
  return { mean: needed("mean"), passive: needed("passive"), banned: needed("banned") };
}
