function validate(result, user, registration, formContext, context) {
  if (formContext.step === formContext.totalSteps && !user.email.endsWith("@example.com")) {
    result.errors.fieldErrors["user.email"] = [{ code: "[invalid]user.email", message: "Use your address at work." }];
  }
}
