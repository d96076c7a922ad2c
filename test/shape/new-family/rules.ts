import type { Family } from "../../../src/operations/family/family.js";
import type { FamilyExample } from "../../../src/operations/family/family-row.js";
import { foldText } from "../../../src/shared/text.js";
import { gadgetFamily } from "./family.js";
import type { Gadget, GadgetRequest } from "./schema.js";

const lifetime = 60_000;

/** The family of gadgets. */
export const gadgets: Family<Gadget, GadgetRequest> = {
  ...gadgetFamily,
  rules: {
    toDraft: (_call, { gadget }, { current, id, now, tenantId }) => {
      const insertInstant = current?.record.insertInstant ?? now;
      return {
        record: { ...gadget, id, tenantId, insertInstant, lastUpdateInstant: now },
        columns: { nameFolded: foldText(gadget.name), expiryInstant: insertInstant + lifetime },
      };
    },
  },
};

export const example: FamilyExample<GadgetRequest> = ({ number }) => ({ gadget: { name: `Gadget ${number}`, pin: "1234" } });
