import type { ApiRequest } from "./transport.js";

/** An operation of the service to trace. Contains no secrets and no request data except headers. */
export type Activity =
  | {
      readonly kind: "request";
      readonly method: string;
      /** The template of the path, such as `/api/group/:groupId`. */
      readonly route: string;
      /** Values that continue a trace: they include credentials, so nothing else may expose them. */
      readonly headers: ApiRequest["headers"];
      readonly requestId: string | undefined;
    }
  | { readonly kind: "transaction" }
  | { readonly kind: "lambda"; readonly lambdaId: string; readonly functionName: string }
  | {
      readonly kind: "delivery";
      readonly channel: "broker" | "logoutToken" | "mail" | "sms" | "webhook";
      /** Of events. */
      readonly eventType?: string | undefined;
    };

/** How an activity ended. */
export interface ActivityEnd {
  /** One word of a small set, fit for a metric label. */
  readonly outcome: string;
  /** Whether it counts as an error. */
  readonly isFailed: boolean;
  /** Of requests. */
  readonly status?: number | undefined;
}

/** Receives a service's activities as they happen; a tracer, for example. */
export interface Telemetry {
  /**
   * Runs `work` as a child of the current activity and returns its result. `toEnd` describes how it ended where it did not
   * reject. All calls of `work`, of host functions too, run within the activity.
   */
  follow<T>(activity: Activity, work: () => Promise<T>, toEnd: (result: T) => ActivityEnd): Promise<T>;
  /** Called once with a function that counts the events in the outbox; returns a function that ends that. */
  watchOutbox(count: () => Promise<number>): () => void;
}
