import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toFlameGraph } from "./flame-graph.ts";

/** Draws the profiles of a directory, each beside its file; returns where they are. */
export const drawProfiles = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith(".cpuprofile"))
    .map((name) => {
      const drawn = join(directory, name.replace(/cpuprofile$/, "svg"));
      const profile = JSON.parse(readFileSync(join(directory, name), "utf8"));
      writeFileSync(drawn, toFlameGraph(profile, name.replace(/^(\w+)-(.*)\.cpuprofile$/, "goal $1, $2")));
      return drawn;
    });
