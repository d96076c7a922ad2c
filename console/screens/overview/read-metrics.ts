import { apiUrl, send } from "../../app/api.js";
import { parseMetrics, type Sample } from "./metrics.js";

/** Reads the metrics of the process that responds, in the Prometheus text format. */
export async function readMetrics(signal: AbortSignal): Promise<readonly Sample[]> {
  const response = await send(apiUrl("/api/prometheus/metrics"), { signal });
  if (!response.ok) throw new Error(`${response.status}`);
  return parseMetrics(await response.text());
}
