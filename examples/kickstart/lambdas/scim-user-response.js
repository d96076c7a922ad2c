function convert(scimUser, user) {
  scimUser.userName = user.email;
  scimUser.active = user.active;
}
