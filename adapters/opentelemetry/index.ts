/**
 * Reports a service's activities as OpenTelemetry spans and metrics. It uses the API package only, so that the host's own SDK
 * exports them.
 */
import {
  type Attributes,
  type Context,
  context,
  type Meter,
  metrics,
  type ObservableResult,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { assertKnownOptions } from "latchkey";
import { type Activity, type ActivityEnd, StorageUnavailable, type Telemetry } from "latchkey/ports";

/** The tracer and meter to use. */
export interface OpenTelemetryOptions {
  /** Default: the global provider's tracer named `latchkey`. */
  readonly tracer?: Tracer | undefined;
  /** Default: the global provider's meter named `latchkey`. */
  readonly meter?: Meter | undefined;
}

/**
 * Returns the option `telemetry` of a service. Spans contain no personal data and no content: only path templates, ids of
 * requests and lambdas, and outcomes.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  assertKnownOptions("", options, { meter: ["createHistogram", "createObservableGauge"], tracer: ["startSpan"] });
  const { tracer = trace.getTracer("latchkey"), meter = metrics.getMeter("latchkey") } = options;
  const instruments = createInstruments(meter);
  return {
    watchOutbox: instruments.watchOutbox,
    async follow(activity, work, toEnd) {
      const parent = parentOf(activity);
      const { name, kind, attributes } = describe(activity);
      const following: Following = {
        activity,
        attributes,
        instruments,
        began: performance.now(),
        span: tracer.startSpan(name, { kind, attributes }, parent),
      };
      try {
        const result = await context.with(trace.setSpan(parent, following.span), work);
        finish(following, toEnd(result));
        return result;
      } catch (error) {
        finish(following, endOf(activity, error));
        throw error;
      }
    },
  };
}

interface Following {
  readonly activity: Activity;
  readonly attributes: Attributes;
  readonly instruments: Instruments;
  readonly began: number;
  readonly span: Span;
}

interface Description {
  readonly name: string;
  readonly kind: SpanKind;
  /** With few values each, so that they can label metrics. */
  readonly attributes: Attributes;
}

function describe(activity: Activity): Description {
  if (activity.kind === "request") {
    const { method, requestId, route } = activity;
    const attributes = {
      "http.request.method": method,
      "http.route": route,
      ...(requestId && { "latchkey.request.id": requestId }),
    };
    return { name: `${method} ${route}`, kind: SpanKind.SERVER, attributes };
  }
  if (activity.kind === "lambda") {
    const { functionName, lambdaId } = activity;
    const attributes = { "latchkey.lambda.id": lambdaId, "latchkey.lambda.function": functionName };
    return { name: `lambda ${functionName}`, kind: SpanKind.INTERNAL, attributes };
  }
  if (activity.kind === "transaction") return { name: "transaction", kind: SpanKind.INTERNAL, attributes: {} };
  const { channel, eventType } = activity;
  const attributes = { "latchkey.delivery.channel": channel, ...(eventType && { "latchkey.event.type": eventType }) };
  return { name: `deliver ${eventType ?? channel}`, kind: SpanKind.PRODUCER, attributes };
}

// If the host traces its requests, that span is active and already continues the caller's trace.
function parentOf(activity: Activity): Context {
  const active = context.active();
  if (activity.kind !== "request" || trace.getSpan(active) !== undefined) return active;
  return propagation.extract(active, activity.headers, headersGetter);
}

const headersGetter: TextMapGetter<Extract<Activity, { kind: "request" }>["headers"]> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => {
    const value = headers[name.toLowerCase()];
    return typeof value === "object" ? [...value] : value;
  },
};

// Error messages may quote data, so only the name is reported. A rollback after a refusal is not a failure.
function endOf(activity: Activity, error: unknown): ActivityEnd {
  if (error instanceof StorageUnavailable) return { outcome: error.name, isFailed: true };
  if (activity.kind === "transaction") return { outcome: "rolledBack", isFailed: false };
  return { outcome: error instanceof Error ? error.name : "unknown", isFailed: true };
}

function finish({ activity, attributes, began, instruments, span }: Following, end: ActivityEnd): void {
  const { isFailed, outcome, status } = end;
  span.setAttribute("latchkey.outcome", outcome);
  if (status !== undefined) span.setAttribute("http.response.status_code", status);
  if (isFailed) span.setAttribute("error.type", outcome).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  instruments.record(activity, attributes, end, (performance.now() - began) / 1_000);
}

/** The instruments for activities. */
interface Instruments extends Pick<Telemetry, "watchOutbox"> {
  readonly record: (activity: Activity, attributes: Attributes, end: ActivityEnd, seconds: number) => void;
}

/** The bounds that the semantic conventions recommend for requests, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

function createInstruments(meter: Meter): Instruments {
  const histogram = (name: string, description: string) =>
    meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries } });
  const requests = histogram("http.server.request.duration", "How long requests took.");
  const lambdas = histogram("latchkey.lambda.run.duration", "How long runs of lambdas took.");
  const deliveries = histogram("latchkey.delivery.duration", "How long attempts at deliveries took.");
  const outbox = meter.createObservableGauge("latchkey.outbox.events", { description: "Events that the outbox holds." });
  return {
    record(activity, attributes, { outcome, status }, seconds) {
      if (activity.kind === "request")
        // Without the request id, which would create a time series for each request.
        requests.record(seconds, {
          "http.request.method": activity.method,
          "http.route": activity.route,
          "http.response.status_code": status,
        });
      if (activity.kind === "lambda") lambdas.record(seconds, { ...attributes, "latchkey.outcome": outcome });
      if (activity.kind === "delivery") deliveries.record(seconds, { ...attributes, "latchkey.outcome": outcome });
    },
    watchOutbox(count) {
      // An unavailable storage has no count, and is reported elsewhere.
      const observe = async (result: ObservableResult): Promise<void> => {
        const events = await count().catch(() => undefined);
        if (events !== undefined) result.observe(events);
      };
      outbox.addCallback(observe);
      return () => outbox.removeCallback(observe);
    },
  };
}
