/** `npm run soak [runs]`: 100,000 runs of mixed bodies on the production runner leave the host and its guests within ±10 % of what they weighed. */
import { isolatedVmRunner } from "latchkey/runners";
import { guestsOf } from "../support/guests.ts";
import { growthOf, runLong, type Weight } from "./long-run.ts";

const runs = Number(process.argv[2] ?? 100_000);
const most = 0.1;
const runner = isolatedVmRunner({ processes: 2 });

const start = performance.now();
const longRun = await runLong(runner, runs, runs / 2);
const { guests, killed } = runner.readState();
await runner.close();

const toText = ({ heap, guests }: Weight): string => `heap of the host ${heap.toFixed(1)} MiB, guests ${guests.toFixed(1)} MiB`;
longRun.tenths.forEach((weight, index) => {
  console.info(`tenth ${index + 1}: ${toText(weight)}`);
});
const growth = growthOf(longRun);
const left = guestsOf(process.pid).length;
console.info(
  `${1.5 * runs} runs in ${Math.round(performance.now() - start)} ms, ${longRun.wrong} ended otherwise than they should`,
);
console.info(`host ${(100 * growth.heap).toFixed(1)} %, guests ${(100 * growth.guests).toFixed(1)} %`);
console.info(`${guests} guests, ${killed} killed, ${left} left behind`);
if (longRun.wrong + killed + left > 0 || Math.abs(growth.heap) > most || Math.abs(growth.guests) > most) process.exitCode = 1;
