import { name, object, type Schema, text } from "../../../src/http/schema/fields.js";
import type { BaseRecord } from "../../../src/operations/family/family.js";

/** A gadget on the wire. */
export interface Gadget extends BaseRecord {
  readonly name: string;
  /** Sealed. */
  readonly pin?: string | undefined;
}

/** The body of POST and PUT. */
export interface GadgetRequest {
  readonly gadget: { readonly name: string; readonly pin?: string | undefined };
}

export const gadgetRequest: Schema<GadgetRequest> = object({ gadget: object({ name: name(), pin: text().optional() }) });
