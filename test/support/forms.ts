import { type Answer, expectOk } from "./answer.js";
import { makeField } from "./families/forms-and-consents.js";
import type { World } from "./world.js";

let count = 0;

/** Makes a field for a key; returns its id. */
export function makeFieldFor(world: World, key: string, field: object = {}): Promise<string> {
  count++;
  return makeField(world, { name: `${key} ${count}`, key, ...field });
}

/** Makes a form; returns its id. A step is a list of field ids, or the kind of verification. */
export async function makeFormOf(world: World, ...steps: readonly (readonly string[] | string)[]): Promise<string> {
  count++;
  const written = steps.map((step) => (typeof step === "string" ? { type: step } : { fields: step }));
  const form = { name: `Form ${count}`, type: "selfServiceUser", steps: written };
  return expectOk(await world.caller.post("/api/form", { form })).textAt("form.id");
}

/** Makes a form with one field; returns a function that posts a submission. */
export async function makeOneField(
  world: World,
  field: object,
  key = "user.data.x",
): Promise<(entered: unknown, more?: object) => Promise<Answer>> {
  const formId = await makeFormOf(world, [await makeFieldFor(world, key, field)]);
  return (entered, more = {}) => validate(world, formId, { submission: { [key]: entered, ...more } });
}

/** Posts a submission of a form. */
export function validate(world: World, formId: string, body: object): Promise<Answer> {
  return world.caller.post(`/api/form/${formId}/validate`, body);
}
