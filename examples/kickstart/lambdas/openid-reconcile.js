// Takes over what the partner's token says about a user.
function reconcile(user, registration, jwt) {
  user.firstName = jwt.given_name;
  user.lastName = jwt.family_name;
  registration.data.partner = jwt.iss;
}
