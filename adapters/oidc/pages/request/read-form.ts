import type { ApiRequest } from "latchkey/ports";
import type { InteractionHost } from "../../http/interactions.js";

/** The fields of a form. */
export class FormFields {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(pairs: Iterable<readonly [string, string]>) {
    const values = new Map<string, string[]>();
    for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
    this.#values = values;
  }

  /** The first value of a field; empty where there is none. */
  text(name: string): string {
    return this.#values.get(name)?.[0] ?? "";
  }

  /** All values of a field. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Whether a box was ticked, or a button chosen. */
  has(name: string): boolean {
    return this.text(name) !== "";
  }

  /** The names of all fields. */
  get names(): readonly string[] {
    return [...this.#values.keys()];
  }
}

/** Reads the form that a browser sent. @throws IdentityError 400, 408, 413, 415. */
export async function readForm(host: Pick<InteractionHost, "readForm">, request: ApiRequest): Promise<FormFields> {
  return new FormFields(await host.readForm(request));
}
