/** The parts of the schema library that `fields.ts` uses: what is not named here is not shipped. */
export { array, boolean, enum as option, guid, int, number, object, record, string, unknown } from "zod";
