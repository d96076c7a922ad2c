// Groups are read at many starts, and the rest of the area is 86 files.
export * as groups from "./groups/rules.js";
