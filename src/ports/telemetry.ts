import type { ApiRequest } from "./transport.js";

/** Something that a service does and that takes its time. Holds no secret, and nothing of what a caller sent but its headers. */
export type Activity =
  | {
      readonly kind: "request";
      readonly method: string;
      /** The template of the path, such as `/api/group/:groupId`. */
      readonly route: string;
      /** For what a trace is continued by: credentials are among them, so nothing else may be told of them. */
      readonly headers: ApiRequest["headers"];
      readonly requestId: string | undefined;
    }
  | { readonly kind: "transaction" }
  | { readonly kind: "lambda"; readonly lambdaId: string; readonly functionName: string }
  | {
      readonly kind: "delivery";
      readonly channel: "broker" | "mail" | "sms" | "webhook";
      /** Of events. */
      readonly eventType?: string | undefined;
    };

/** How an activity ended. */
export interface ActivityEnd {
  /** In a word: of few words that there are. */
  readonly outcome: string;
  /** Whether somebody should look at it. */
  readonly isFailed: boolean;
  /** Of requests. */
  readonly status?: number | undefined;
}

/** What is told what a service does while it does it, such as a tracer. */
export interface Telemetry {
  /**
   * Does `work`, which is part of the activity that is under way, and answers as it does. `toEnd` says how it ended where it did not
   * reject. Whatever `work` calls, functions of the host too, is called within the activity.
   */
  follow<T>(activity: Activity, work: () => Promise<T>, toEnd: (result: T) => ActivityEnd): Promise<T>;
  /** Is told once how to find out how many events the outbox holds; answers what ends that. */
  watchOutbox(count: () => Promise<number>): () => void;
}
