function validate(result, user) {
  if (user.data.closed) result.errors.generalErrors = [{ code: "[closed]", message: "This account is closed." }];
}
