import type { FigureGoal, Goal, MemberBlockGoal, UsersFigureGoal } from "../goals.ts";
import type { FigureResult } from "./lambda.ts";
import { maxForeign, type RaceResult } from "./race.ts";

const toRate = (perSecond: number): string => perSecond.toLocaleString("en", { maximumSignificantDigits: 3 });

const toPercent = (share: number): string => (Number.isNaN(share) ? "unknown" : `${Math.round(share * 100)}%`);

const timed: ReadonlySet<Goal["measure"]> = new Set(["patch", "cold-start", "lambda-time"]);

/** Most goals compare rates and want more; a cost goal compares times and wants less. */
const toReading = (goal: Goal, { ratio, min, max }: RaceResult): { ratio: number; min: number; max: number; isMet: boolean } =>
  timed.has(goal.measure)
    ? { ratio: 1 / ratio, min: 1 / max, max: 1 / min, isMet: 1 / ratio <= goal.must }
    : { ratio, min, max, isMet: ratio >= goal.must };

/** The one line that a race prints. */
export const toReportLine = (goal: Goal, result: RaceResult): string => {
  const { ratio, min, max, isMet } = toReading(goal, result);
  const name = `goal ${goal.number}`.padEnd(9);
  const wanted = `(must ${goal.must.toFixed(2)}, ambitious ${goal.ambitious.toFixed(2)})`;
  const spread = `${min.toFixed(2)}..${max.toFixed(2)}, foreign CPU ${toPercent(result.foreign)}`;
  const perCpu = Number.isNaN(result.cpuRatio) ? "" : `, per CPU time ${result.cpuRatio.toFixed(2)}x`;
  const rates = `${toRate(result.oursPerSecond)} : ${toRate(result.basePerSecond)} /s${perCpu}`;
  const warning = result.foreign > maxForeign ? "  DISTURBED" : "";
  return `${name}${goal.title.padEnd(46)}${ratio.toFixed(2).padStart(6)}x  ${wanted}  ${isMet ? "ok" : "BELOW MUST"}   ${spread}, ${rates}${warning}`;
};

/** The line of a figure that stands by itself. */
export const toFigureLine = (goal: FigureGoal | MemberBlockGoal | UsersFigureGoal, { value, min, max }: FigureResult): string => {
  const { ambitious, must, number, title, unit } = goal;
  const shown = `${value.toPrecision(3)} ${unit}`;
  const spread = `${min.toPrecision(3)}..${max.toPrecision(3)}`;
  return `${`goal ${number}`.padEnd(9)}${title.padEnd(46)}${shown.padStart(11)}  (must ${must}, ambitious ${ambitious})  ${value <= must ? "ok" : "BELOW MUST"}   ${spread}`;
};
