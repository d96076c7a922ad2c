function validate(result, user, registration, context) {
  if (!registration)
    result.errors.generalErrors.push({ code: "[notRegistered]", message: `Not for ${context.application.name}.` });
  if (!user.data.zip)
    result.errors.fieldErrors["user.data.zip"] = [{ code: "[missing]user.data.zip", message: "Where do you live?" }];
}
