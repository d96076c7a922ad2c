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

  /** The first value of a field; empty without one. */
  text(name: string): string {
    return this.#values.get(name)?.[0] ?? "";
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Whether a box was checked, or a button used. */
  has(name: string): boolean {
    return this.text(name) !== "";
  }

  get names(): readonly string[] {
    return [...this.#values.keys()];
  }
}

/** Reads the form of a request. @throws IdentityError 400, 408, 413, 415. */
export async function readForm(host: Pick<InteractionHost, "readForm">, request: ApiRequest): Promise<FormFields> {
  return new FormFields(await host.readForm(request));
}
