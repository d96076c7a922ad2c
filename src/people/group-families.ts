// Separate, since many starts read groups, and the rest of the area has 86 files.
export * as groups from "./groups/rules.js";
