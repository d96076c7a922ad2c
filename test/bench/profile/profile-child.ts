/** Loaded into our side of a race with `--profile`: records the CPU profile of a server from SIGUSR2 on, of a worker and of a start from its beginning, and writes it at its end. */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { basename, join } from "node:path";

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.setSamplingInterval", { interval: 250 });

const { BENCH_PROFILE: directory = ".", BENCH_GOAL: goal = "" } = process.env;
const name = `${goal}-${basename(process.argv[1] ?? "", ".ts")}.cpuprofile`;

if (process.send === undefined && process.env.BENCH_PROFILE_FROM !== "start")
  process.on("SIGUSR2", () => session.post("Profiler.start"));
else session.post("Profiler.start");
process.on("SIGTERM", () => process.exit());
// Others may end the process at SIGTERM as well. Answers of this session come at once.
process.on("exit", () =>
  session.post("Profiler.stop", (error, result) => {
    if (error === null) writeFileSync(join(directory, name), JSON.stringify(result.profile));
  }),
);
