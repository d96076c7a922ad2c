/** docs/forms.md; examples/form.ts is a whole sign-up. */
import assert from "node:assert/strict";
import { createIdentityService, IdentityError } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { readLambdaBody } from "latchkey/testing";
import type { DescribeFormInput, ValidateFormRequest } from "latchkey/types";
import { assertLike, readJson } from "./like.ts";

const identity = await createIdentityService({ storage: memoryStorage() });
const { field } = await identity.formFields.create({
  field: { name: "Color", key: "user.data.color", control: "select", options: ["red"], required: true },
});
const { form: profile } = await identity.forms.create({
  form: { name: "Profile", type: "selfServiceUser", steps: [{ fields: [field.id] }] },
});

const texts = readJson<Omit<DescribeFormInput, "formId">>("form-texts");
assertLike(await identity.forms.describe({ ...texts, formId: profile.id, locale: "de_CH" }), "form-described");

// A sign-up with the lambda that has the last word.
const { fields } = await identity.formFields.list();
const managed = (key: string): string => fields.find((known) => known.key === key)?.id ?? "";
const steps = [{ fields: [managed("user.email"), managed("user.password"), field.id] }];
const { form } = await identity.forms.create({ form: { name: "Account", steps } });
const body = readLambdaBody(new URL("lambdas/sign-up.js", import.meta.url));
const { lambda } = await identity.lambdas.create({
  lambda: { name: "At work", type: "SelfServiceRegistrationValidation", body },
});
await identity.applications.create({
  application: {
    name: "Shop",
    registrationConfiguration: { enabled: true, type: "advanced", formId: form.id },
    lambdaConfiguration: { selfServiceRegistrationValidationId: lambda.id },
  },
});
const submission = readJson<ValidateFormRequest>("form-submission");
const { user } = await identity.forms.validate({ ...submission, formId: form.id });
assert.deepEqual(user.data, { color: "red", source: "fair" });
const elsewhere = { ...submission, submission: { ...submission.submission, "user.email": "ann@example.org" } };
await assert.rejects(identity.forms.validate({ ...elsewhere, formId: form.id }), (error: unknown) => {
  assert.ok(error instanceof IdentityError);
  return error.code === "[invalid]user.email";
});
await identity.close();
