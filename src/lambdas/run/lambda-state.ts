import { LambdaBreakers } from "./lambda-breakers.js";
import { LambdaCounts } from "./lambda-counts.js";
import type { LambdaSettings } from "./settings.js";

/** How the lambdas of one service are run, and how they fared. */
export interface LambdaState extends LambdaSettings {
  readonly breakers: LambdaBreakers;
  readonly counts: LambdaCounts;
}

/** The lambdas of a service at its start. */
export function startLambdas(settings: LambdaSettings): LambdaState {
  return Object.freeze({ ...settings, breakers: new LambdaBreakers(), counts: new LambdaCounts() });
}
