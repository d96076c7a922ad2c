function reconcile(user, userAttributes) {
  user.email = userAttributes.mail;
  user.data.employeeNumber = userAttributes.employeeNumber;
}
