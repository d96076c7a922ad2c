function convert(user, options, scimUser) {
  user.email = scimUser.userName;
  user.firstName = scimUser.name && scimUser.name.givenName;
}
