/** The parts of the schema library that `fields.ts` uses: others are not bundled. */
export { array, boolean, enum as option, guid, int, number, object, record, string, unknown } from "zod";
