// Refuses addresses of free mailers at registration.
function validate(result, user) {
  const isFree = /@(mail|free)\.example$/.test(user.email || "");
  if (isFree)
    result.errors.fieldErrors["user.email"] = [{ code: "[invalid]user.email", message: "Please use your work address." }];
}
