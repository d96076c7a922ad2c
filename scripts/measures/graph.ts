/** What the graph of imports says: circles, groups of files that import each other, and arrows that run back. */

/** Who imports whom. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The graph of files. Imports of files that are not in it are left out. */
export function fileGraph(files: readonly { readonly path: string; readonly imports: readonly string[] }[]): Graph {
  const known = new Set(files.map(({ path }) => path));
  return new Map(files.map(({ path, imports }) => [path, new Set(imports.filter((target) => known.has(target)))]));
}

/** The graph of groups of files, such as their folders: who imports from whom. */
export function groupGraph(files: Graph, groupOf: (path: string) => string): Graph {
  const groups = new Map<string, Set<string>>();
  for (const [path, targets] of files) {
    const own = groupOf(path);
    const known = groups.get(own) ?? new Set<string>();
    groups.set(own, known);
    for (const target of targets) if (groupOf(target) !== own) known.add(groupOf(target));
  }
  return groups;
}

/** The room of a file: its folder directly in src/ or adapters/, with all folders below. */
export function roomOf(path: string): string {
  const [top = "", ...rest] = path.split("/");
  return rest.length > 1 ? `${top}/${rest[0]}` : top;
}

/** Pairs of nodes that import each other, by name. */
export function twoWayPairs(graph: Graph): readonly (readonly [string, string])[] {
  return [...graph].flatMap(([one, targets]) =>
    [...targets].filter((other) => one < other && graph.get(other)?.has(one)).map((other) => [one, other] as const),
  );
}

/** The groups of nodes that reach each other: Tarjan's strongly connected components of more than one node. */
export function circles(graph: Graph): readonly (readonly string[])[] {
  const state = { indexes: new Map<string, number>(), lows: new Map<string, number>(), stack: [] as string[] };
  const found: string[][] = [];
  const low = (node: string): number => state.lows.get(node) ?? 0;
  const visit = (node: string): void => {
    const index = state.indexes.size;
    state.indexes.set(node, index);
    state.lows.set(node, index);
    state.stack.push(node);
    for (const target of graph.get(node) ?? []) {
      if (!state.indexes.has(target)) visit(target);
      if (state.stack.includes(target)) state.lows.set(node, Math.min(low(node), low(target)));
    }
    if (low(node) === index) found.push(state.stack.splice(state.stack.indexOf(node)));
  };
  for (const node of graph.keys()) if (!state.indexes.has(node)) visit(node);
  return found.filter(({ length }) => length > 1);
}

/**
 * The arrows that run back in the best order of the nodes: those that must go before data can flow one way.
 * The order is the greedy one of Eades, Lin and Smyth, so the number is an upper bound.
 */
export function backArrows(graph: Graph): readonly (readonly [string, string])[] {
  const place = new Map(greedyOrder(graph).map((node, index) => [node, index]));
  const runsBack = (from: string, to: string): boolean => (place.get(from) ?? 0) > (place.get(to) ?? 0);
  return [...graph].flatMap(([from, targets]) =>
    [...targets].filter((to) => runsBack(from, to)).map((to) => [from, to] as const),
  );
}

function greedyOrder(graph: Graph): readonly string[] {
  const left = new Set([...graph.keys()].toSorted());
  const head: string[] = [];
  const tail: string[] = [];
  const out = (node: string): number => [...(graph.get(node) ?? [])].filter((target) => left.has(target)).length;
  const into = (node: string): number => [...left].filter((from) => from !== node && graph.get(from)?.has(node)).length;
  const take = (node: string, list: string[]): void => {
    left.delete(node);
    list.push(node);
  };
  while (left.size > 0) {
    const nodes = [...left];
    const sink = nodes.find((node) => out(node) === 0);
    const source = nodes.find((node) => into(node) === 0);
    if (sink !== undefined) take(sink, tail);
    else if (source !== undefined) take(source, head);
    else
      take(
        nodes.reduce((best, node) => (out(node) - into(node) > out(best) - into(best) ? node : best)),
        head,
      );
  }
  return [...head, ...tail.toReversed()];
}
