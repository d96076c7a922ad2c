import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fromBench } from "../harness/paths.ts";

/** Installs the peers, as their lock file says, when they are not there yet. */
export const installPeers = (): void => {
  const folder = fromBench("peers");
  if (existsSync(fromBench("peers/node_modules"))) return;
  const { status } = spawnSync("npm", ["--prefix", folder, "ci", "--no-audit", "--no-fund"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("the peers could not be installed: npm --prefix test/bench/peers ci");
};
