import type { Requirement } from "./requirement.js";

const behaviour = "docs/behaviour.md, Storages";
const decisions = "decisions.md, Second stage";

/** The rules about storages that concern all families. */
export const storageRequirements: Readonly<Record<string, Requirement>> = {
  "storage.handle-lazy": {
    behaviour: "No operation needs the database handle of a transaction, which is made when it is first read",
    section: behaviour,
  },
  "storage.handle": {
    behaviour: "`tx.db` is a Kysely handle on SQLite and Postgres, typed by the storage, and absent on memory",
    section: decisions,
  },
};
