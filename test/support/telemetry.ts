import { type Context, context, propagation, type SpanContext, type TextMapPropagator, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { openTelemetry } from "latchkey/opentelemetry";
import type { Telemetry } from "latchkey/ports";

/** The telemetry of a test, with its recorded data. */
export interface TestTelemetry {
  readonly telemetry: Telemetry;
  readonly provider: TracerProvider;
  /** The ended spans, in order of their ends. */
  readonly spans: () => readonly ReadableSpan[];
  readonly metrics: () => Promise<readonly MetricData[]>;
}

/** Records spans and metrics in memory. The context is global to the process, as in any host. */
export function createTestTelemetry(): TestTelemetry {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(traceparent);
  const spanExporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spanExporter })] });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  return {
    telemetry: openTelemetry({ tracer: provider.getTracer("test"), meter: meters.getMeter("test") }),
    provider,
    spans: () => spanExporter.getFinishedSpans(),
    async metrics() {
      await reader.forceFlush();
      return (
        metricExporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
      );
    },
  };
}

/** The part of W3C Trace Context that tests need. */
const traceparent: TextMapPropagator = {
  inject: () => undefined,
  fields: () => ["traceparent"],
  extract(into: Context, carrier, getter) {
    const [, traceId, spanId] = String(getter.get(carrier, "traceparent")).split("-");
    if (traceId === undefined || spanId === undefined) return into;
    const remote: SpanContext = { traceId, spanId, traceFlags: 1, isRemote: true };
    return trace.setSpanContext(into, remote);
  },
};
