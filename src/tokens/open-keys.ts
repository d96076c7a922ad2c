import type { OpenKey } from "../keys/sealed-key.js";
import { KeptValues } from "../values/kept-values.js";

/** Finds keys in the storage and opens them. */
export interface KeySource {
  byId(id: string): Promise<OpenKey | undefined>;
  byKid(kid: string): Promise<OpenKey | undefined>;
}

/** Keys that were opened, kept for a moment: opening one costs more than a signature. */
export class OpenKeys implements KeySource {
  readonly #source: KeySource;
  readonly #kept = new KeptValues<OpenKey>();

  constructor(source: KeySource) {
    this.#source = source;
  }

  byId(id: string): Promise<OpenKey | undefined> {
    return this.#kept.find(`id ${id}`, () => this.#source.byId(id));
  }

  byKid(kid: string): Promise<OpenKey | undefined> {
    return this.#kept.find(`kid ${kid}`, () => this.#source.byKid(kid));
  }

  /** Forgets every key, so that changes made in this process take effect at once. */
  forget(): void {
    this.#kept.forget();
  }
}
