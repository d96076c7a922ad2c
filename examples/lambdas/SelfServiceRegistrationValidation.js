// The postcode must be one that we deliver to. The path of a field says where the form shows the message.
/** @type {import("latchkey/lambdas").SelfServiceRegistrationValidation} */
function validate(result, user, registration, formContext) {
  const zip = formContext?.fields["user.data.zip"];
  if (typeof zip === "string" && /^[A-Z]{1,2}\d/.test(zip)) return;
  result.errors.fieldErrors["user.data.zip"] = [
    { code: "[invalid]user.data.zip", message: "We do not deliver there.", data: { zip } },
  ];
}
