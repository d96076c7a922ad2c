/** Loaded into our side of a race with `--profile`: records the CPU profile of a server from SIGUSR2 on, of a worker from its start, and writes it at SIGTERM. */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { basename, join } from "node:path";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 250 });

const { BENCH_PROFILE: directory = ".", BENCH_GOAL: goal = "" } = process.env;
const name = `${goal}-${basename(process.argv[1] ?? "", ".ts")}.cpuprofile`;

if (process.send === undefined) process.on("SIGUSR2", () => void session.post("Profiler.start"));
else await session.post("Profiler.start");
process.on("SIGTERM", async () => {
  const { profile } = await session.post("Profiler.stop");
  writeFileSync(join(directory, name), JSON.stringify(profile));
  process.exit();
});
