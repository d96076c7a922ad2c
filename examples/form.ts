/** A sign-up form in use: described for a front end in its language, validated step by step, and made a registration of. */
import { createIdentityService, IdentityError, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const formId = "20000000-0000-4000-8000-000000000001";

/** The texts of the front end, by keys of fields, options and refusals. */
const texts = {
  defaultMessages: { "user.email": "Email", "user.password": "Password", "user.data.size": "Size of your shirt", l: "large" },
  localizedMessages: { de: { "user.email": "E-Mail", "user.password": "Passwort", "user.data.size": "Hemdgröße", l: "groß" } },
};

/** A service with a form of two steps and an application whose users sign up with it. */
export async function createShop(): Promise<IdentityService> {
  const identity = await createIdentityService({ storage: memoryStorage() });
  const { fields } = await identity.formFields.list();
  const fieldOf = (key: string): string => fields.find((field) => field.key === key)?.id ?? "";
  const size = { name: "Size", key: "user.data.size", control: "select", options: ["m", "l"], required: true } as const;
  const { field } = await identity.formFields.create({ field: size });
  const steps = [{ fields: [fieldOf("user.email"), fieldOf("user.password")] }, { fields: [field.id] }];
  await identity.forms.create({ formId, form: { name: "Sign-up", steps } });
  const registrationConfiguration = { enabled: true, type: "advanced", formId } as const;
  await identity.applications.create({ application: { name: "Shop", registrationConfiguration } });
  return identity;
}

/** What the front end shows, in a locale: a line for each field. */
export async function show(identity: IdentityService, locale: string): Promise<readonly string[]> {
  const { steps } = await identity.forms.describe({ formId, locale, ...texts });
  return steps.flatMap(({ fields, step }) =>
    fields.map(({ label, options }) => `${step}. ${label} ${options.map(({ text }) => text).join("|")}`.trim()),
  );
}

/** Signs somebody up: each step is validated alone, and what it answers goes along with the next. */
export async function signUp(identity: IdentityService, answers: readonly Readonly<Record<string, string>>[]): Promise<string> {
  const first = await identity.forms.validate({ formId, step: 1, submission: answers[0] });
  const { user, registration } = await identity.forms.validate({ ...first, formId, step: 2, submission: answers[1] });
  return (await identity.registrations.create({ user, registration })).registration.id;
}

if (import.meta.main) {
  const identity = await createShop();
  console.log(await show(identity, "de-CH"));
  const credentials = {
    "user.email": "ann@example.com",
    "user.password": "correct horse",
    "confirm.user.password": "correct horse",
  };
  await signUp(identity, [credentials, { "user.data.size": "xxl" }]).catch((error: unknown) => {
    if (error instanceof IdentityError) console.log(error.status, Object.keys(error.fieldErrors));
  });
  await signUp(identity, [credentials, { "user.data.size": "l" }]);
  console.log((await identity.users.find({ email: "ann@example.com" })).user.data);
  await identity.close();
}
