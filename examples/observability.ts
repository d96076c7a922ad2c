/** What a service does, as spans of OpenTelemetry and as lines of pino that name the same request. Run it: `node examples/observability.ts`. */
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { type ReadableSpan, SimpleSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { openTelemetry } from "latchkey/opentelemetry";
import { pino } from "pino";

/** A service that tells each span to `tell`. In an app an SDK is set up once, and `openTelemetry()` finds it by itself. */
export function createObserved(tell: (span: ReadableSpan) => void, write: (line: string) => void): Promise<IdentityService> {
  const exporter: SpanExporter = {
    export: (spans, done) => {
      spans.forEach(tell);
      done({ code: 0 });
    },
    shutdown: async () => undefined,
  };
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return createIdentityService({
    storage: memoryStorage(),
    apiKey: "the-key-of-this-example-0123456789",
    logger: pino({ level: "info" }, { write }).child({ part: "identity" }),
    telemetry: openTelemetry({ tracer: provider.getTracer("example") }),
    // Deliveries would add spans of their own.
    delivery: false,
    // Fails, so that there is a line to look at.
    directory: { findUsers: fail, findApplications: fail, findRoles: fail, findRegistrations: fail },
  });
}

function fail(): Promise<never> {
  return Promise.reject(new Error("The directory is away."));
}

if (import.meta.main) {
  const tell = ({ attributes, name }: ReadableSpan): void =>
    console.log(name, attributes["http.response.status_code"] ?? "", attributes["latchkey.outcome"]);
  const write = (line: string): void => {
    const { err, msg, part, path, requestId } = JSON.parse(line);
    console.log(`${part}: ${msg} ${path} ${requestId} ${err.message}`);
  };
  const identity = await createObserved(tell, write);
  const headers = { authorization: "the-key-of-this-example-0123456789", "x-request-id": "example-1" };
  await identity.inject({ method: "POST", url: "/api/group", headers, body: { group: { name: "Editors" } } });
  const roleIds = ["0e3a1f6c-5b0d-4a51-9a6e-8f0f4c1d2b03"];
  const failed = { method: "POST", url: "/api/group", headers, body: { group: { name: "Writers" }, roleIds } };
  console.log((await identity.inject(failed)).headers["x-request-id"]);
  await identity.close();
}
