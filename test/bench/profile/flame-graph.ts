/** Draws a CPU profile as a flame graph: an SVG without scripts, of which each rectangle has its share as a tooltip. */
import type { Profiler } from "node:inspector";

/** A function with all that it called. */
interface Frame {
  readonly name: string;
  readonly origin: Origin;
  readonly callees: Map<string, Frame>;
  /** Microseconds, with those of what it called. */
  time: number;
}

type Origin = "engine" | "latchkey" | "node" | "package";

const colors: Readonly<Record<Origin, string>> = { engine: "#c9b8d8", latchkey: "#f2a65a", node: "#a8c686", package: "#8fb8de" };

const width = 1_200;
const rowHeight = 17;
/** The least share of the whole that is drawn. */
const leastShare = 0.004;
/** About how wide a character is. */
const characterWidth = 6.2;

/** What a worker of both sides does by hand, waiting, and the recording itself. */
const isLeftOut = ({ callFrame: { functionName, url } }: Profiler.ProfileNode): boolean =>
  functionName === "(idle)" || functionName === "(program)" || url === "node:inspector" || url.includes("/bench/yardsticks/");

const toOrigin = (url: string): { readonly origin: Origin; readonly place: string } => {
  const [, packageName] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (packageName !== undefined) return { origin: "package", place: packageName };
  if (url.startsWith("node:")) return { origin: "node", place: url };
  return url === "" ? { origin: "engine", place: "" } : { origin: "latchkey", place: "latchkey" };
};

const newFrame = (name: string, origin: Origin): Frame => ({ name, origin, callees: new Map(), time: 0 });

/** The calls of a profile, merged by function; what is not ours is left out. */
const toFrames = (profile: Profiler.Profile): Frame => {
  const times = new Map<number, number>();
  for (const [index, id] of (profile.samples ?? []).entries())
    times.set(id, (times.get(id) ?? 0) + Math.max(0, profile.timeDeltas?.[index] ?? 0));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const root = newFrame("all", "engine");
  const add = (node: Profiler.ProfileNode, parent: Frame): number => {
    if (isLeftOut(node)) return 0;
    const { functionName, url } = node.callFrame;
    const { origin, place } = toOrigin(url);
    const name = `${functionName || "(anonymous)"}${place === "" || place === "latchkey" ? "" : ` (${place})`}`;
    // What a function calls is drawn as its own where the names of bundled files say nothing.
    const frame = parent.callees.get(name) ?? newFrame(name, origin);
    parent.callees.set(name, frame);
    let time = times.get(node.id) ?? 0;
    for (const id of node.children ?? []) {
      const child = nodes.get(id);
      if (child !== undefined) time += add(child, frame);
    }
    frame.time += time;
    return time;
  };
  const [first] = profile.nodes;
  for (const id of first?.children ?? []) {
    const node = nodes.get(id);
    if (node !== undefined) root.time += add(node, root);
  }
  return root;
};

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const drawFrame = (frame: Frame, total: number, x: number, depth: number, rects: string[]): number => {
  const share = frame.time / total;
  if (share < leastShare) return depth;
  const wide = share * width;
  const label = frame.name.slice(0, Math.max(0, Math.floor(wide / characterWidth) - 1));
  const y = depth * rowHeight;
  const text = label.length < 3 ? "" : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escapeXml(label)}</text>`;
  const title = `<title>${escapeXml(frame.name)} ${(100 * share).toFixed(1)} %</title>`;
  rects.push(
    `<g>${title}<rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" fill="${colors[frame.origin]}"/>${text}</g>`,
  );
  let deepest = depth + 1;
  let left = x;
  for (const callee of [...frame.callees.values()].sort((a, b) => b.time - a.time)) {
    deepest = Math.max(deepest, drawFrame(callee, total, left, depth + 1, rects));
    left += (callee.time / total) * width;
  }
  return deepest;
};

/** The flame graph of a profile, under a title. */
export const toFlameGraph = (profile: Profiler.Profile, title: string): string => {
  const root = toFrames(profile);
  const rects: string[] = [];
  const depth = drawFrame(root, root.time || 1, 0, 0, rects);
  const height = depth * rowHeight + 24;
  const style = `text{font:11px ui-monospace,monospace;fill:#1c1c1c}rect{height:${rowHeight - 1}px}.key{font-weight:bold}`;
  const key = Object.entries(colors).map(
    ([origin, color], index) =>
      `<rect x="${700 + index * 110}" y="${height - 18}" width="12" fill="${color}"/><text x="${716 + index * 110}" y="${height - 6}">${origin}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"><title>${escapeXml(title)}</title><style>${style}</style>`,
    `<rect width="${width}" style="height:${height}px" fill="#fff"/>`,
    ...rects,
    `<text class="key" x="3" y="${height - 6}">${escapeXml(title)}, ${(root.time / 1_000).toFixed(0)} ms of work</text>`,
    ...key,
    "</svg>\n",
  ].join("\n");
};
