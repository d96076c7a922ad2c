import type { ApiRequest } from "./transport.js";

/** An operation of the service to trace. Contains no secrets and no request data except headers. */
export type Activity =
  | {
      readonly kind: "request";
      readonly method: string;
      /** The path template, such as `/api/group/:groupId`. */
      readonly route: string;
      /** The request headers, to continue a trace. They include credentials: record none. */
      readonly headers: ApiRequest["headers"];
      readonly requestId: string | undefined;
    }
  | { readonly kind: "transaction" }
  | { readonly kind: "lambda"; readonly lambdaId: string; readonly functionName: string }
  | {
      readonly kind: "delivery";
      readonly channel: "broker" | "logoutToken" | "mail" | "sms" | "webhook";
      /** The type of the delivered event; undefined for other deliveries. */
      readonly eventType?: string | undefined;
    };

/** The result of an activity. */
export interface ActivityEnd {
  /** One word of a small set, fit for a metric label. */
  readonly outcome: string;
  /** Whether it counts as an error. */
  readonly isFailed: boolean;
  /** The HTTP status of a request. */
  readonly status?: number | undefined;
}

/** Receives the service's activities as they happen, such as for a tracer. */
export interface Telemetry {
  /**
   * Runs `work` as a child of the current activity and returns its result. `toEnd` describes a result; a rejection needs no
   * description. All calls within `work`, including host functions, run inside the activity.
   */
  follow<T>(activity: Activity, work: () => Promise<T>, toEnd: (result: T) => ActivityEnd): Promise<T>;
  /** Called once with a function that counts the events in the outbox. Returns a function that stops watching. */
  watchOutbox(count: () => Promise<number>): () => void;
}
