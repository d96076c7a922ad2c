/** Stands in a request where each sending puts a value never sent before. */
export const uniquePlaceholder = "unique-unique-unique-unique-uniq";

export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Whole HTTP requests, taken in turn. A `uniquePlaceholder` in one is overwritten before each sending. */
  readonly messages: readonly string[];
  /** Whether each message is sent once: the job ends with the last one, however many seconds there are. */
  readonly isSingleUse?: boolean;
}

export interface LoadReport {
  readonly answers: number;
  readonly seconds: number;
  /** The first status line that was not 2xx, or the connection's error. */
  readonly failure?: string;
}
