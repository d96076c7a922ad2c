import type { Attributes, Meter, ObservableResult } from "@opentelemetry/api";
import type { Activity, ActivityEnd, Telemetry } from "latchkey";

/** What is measured of activities. */
export interface Instruments extends Pick<Telemetry, "watchOutbox"> {
  readonly record: (activity: Activity, attributes: Attributes, end: ActivityEnd, seconds: number) => void;
}

/** The bounds that the semantic conventions advise for requests, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The instruments of a meter. */
export function createInstruments(meter: Meter): Instruments {
  const histogram = (name: string, description: string) =>
    meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries } });
  const requests = histogram("http.server.request.duration", "How long requests took.");
  const lambdas = histogram("latchkey.lambda.run.duration", "How long runs of lambdas took.");
  const deliveries = histogram("latchkey.delivery.duration", "How long attempts at deliveries took.");
  const outbox = meter.createObservableGauge("latchkey.outbox.events", { description: "Events that the outbox holds." });
  return {
    record(activity, attributes, { outcome, status }, seconds) {
      if (activity.kind === "request")
        // An id of a request would make a series of each.
        requests.record(seconds, {
          "http.request.method": activity.method,
          "http.route": activity.route,
          "http.response.status_code": status,
        });
      if (activity.kind === "lambda") lambdas.record(seconds, { ...attributes, "latchkey.outcome": outcome });
      if (activity.kind === "delivery") deliveries.record(seconds, { ...attributes, "latchkey.outcome": outcome });
    },
    watchOutbox(count) {
      // An unavailable storage has no number, and is reported elsewhere.
      const observe = async (result: ObservableResult): Promise<void> => {
        const events = await count().catch(() => undefined);
        if (events !== undefined) result.observe(events);
      };
      outbox.addCallback(observe);
      return () => outbox.removeCallback(observe);
    },
  };
}
