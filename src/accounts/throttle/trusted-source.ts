/** One thing that attempts are counted for: a subject at one source, a subject, or a source. */
export interface Counter {
  readonly of: "pair" | "subject" | "source";
  /** Made of a digest of what is counted. */
  readonly id: string;
  readonly limit: number;
}

/** A subject that succeeded from a source lately and has not failed since. */
export interface TrustedSource {
  /** The narrowest first. */
  readonly counters: readonly Counter[];
  readonly knownUntil: number;
}
