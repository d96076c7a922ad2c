/** When and from where a key was last used. */
export interface KeyUse {
  readonly keyId: string;
  readonly instant: number;
  readonly address: string | undefined;
}

/** Remembers the last use of each key until it is written: a request pays for a Map entry, never for a write. */
export class KeyUses {
  #latest = new Map<string, KeyUse>();

  note(keyId: string, instant: number, address: string | undefined): void {
    this.#latest.set(keyId, { keyId, instant, address });
  }

  /** What was noted since the last call. */
  drain(): readonly KeyUse[] {
    const uses = [...this.#latest.values()];
    this.#latest = new Map();
    return uses;
  }
}
