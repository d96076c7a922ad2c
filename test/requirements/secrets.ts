import type { Requirement } from "./requirement.js";

const rotation = "docs/operations.md#secrets";

/** The rules of secrets that are rotated. */
export const secretRequirements: Readonly<Record<string, Requirement>> = {
  "rotation.everything": {
    behaviour: "All texts that an earlier secret sealed are sealed again, and each opens and works with the new secret alone",
    section: rotation,
  },
  "rotation.unnoticed": {
    behaviour: "Ids, versions, instants and texts of records stay, and nothing is published",
    section: rotation,
  },
  "rotation.places": { behaviour: "Nothing can be sealed in a place that a rotation would not find", section: rotation },
  "rotation.dry-run": { behaviour: "A dry run counts, and changes nothing", section: rotation },
  "rotation.progress": { behaviour: "onProgress is told after each transaction of at most `batch` records", section: rotation },
  "rotation.resume": { behaviour: "A rotation that was interrupted goes on with the next one", section: rotation },
  "rotation.beside": {
    behaviour: "Writers and other rotations may run beside it; no change of theirs is lost, and nothing old comes back",
    section: rotation,
  },
  "rotation.missing": {
    behaviour: "A secret that is missing is named by its key id before anything is changed",
    section: rotation,
  },
  "rotation.left": {
    behaviour: "What does not open is left, counted and logged, and the next start still asks for the earlier secret",
    section: rotation,
  },
  "rotation.audit": { behaviour: "Where changes are audited, an entry tells of the rotation", section: rotation },
  "rotation.options": {
    behaviour: "A wrong option is a TypeError; inside identity.transaction it is refused",
    section: rotation,
  },
};
