import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { transformSync } from "esbuild";
import { dataDirectory, fromBench } from "./paths.ts";
import { core, endProcess, spawnNode } from "./processes.ts";
import { alternate, type Contestant, type RaceResult, race } from "./race.ts";

/** A copy without types, so that Node's own stripping is no part of the start. It may import packages only. */
const stripTypes = (script: string, directory: string): string => {
  const target = join(directory, script.replace(/ts$/, "mjs"));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, transformSync(readFileSync(fromBench(script), "utf8"), { loader: "ts", format: "esm" }).code);
  return target;
};

const request = (origin: string, id: string, key: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(`${origin}/api/group/${id}`, { headers: { authorization: key }, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("end", () => {
        const isRight = response.statusCode === 200 && JSON.parse(text).group.id === id;
        return isRight ? resolve() : reject(new Error(`wrong first answer: ${response.statusCode} ${text.slice(0, 300)}`));
      });
    }).on("error", reject);
  });

/** Milliseconds from the spawn to the whole first answer. */
const measureStart = async (script: string, directory: string): Promise<number> => {
  const begin = performance.now();
  const env = { BENCH_DIR: directory, BENCH_PROFILE_FROM: "start" };
  const child = spawnNode({ script, core: core.server, stdio: ["ignore", "pipe", "inherit"], env });
  const input = child.stdout;
  if (!input) throw new Error("no standard output");
  try {
    for await (const line of createInterface({ input })) {
      const [word, origin = "", id = "", key = ""] = line.split(" ");
      if (word !== "ready") continue;
      await request(origin, id, key);
      return performance.now() - begin;
    }
    throw new Error(`${script} ended before it was ready`);
  } finally {
    await endProcess(child);
  }
};

const createStarter = (script: string, directory: string): Contestant => {
  const stripped = stripTypes(script, directory);
  return {
    pids: [],
    sample: async () => ({ perSecond: 1000 / (await measureStart(stripped, directory)), perCpuSecond: Number.NaN }),
  };
};

/** Races starts of latchkey on Fastify and better-sqlite3 against starts of those two alone; the warm-up makes the databases. */
export const raceColdStart = async (pairs: number): Promise<RaceResult> => {
  const directories = ["ours", "base"].map((name) => mkdtempSync(join(dataDirectory(), `${name}-`)));
  const [ours = "", base = ""] = directories;
  try {
    return await race(
      alternate(createStarter("subjects/cold-start.ts", ours), createStarter("yardsticks/cold-start.ts", base)),
      pairs,
    );
  } finally {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }
};
