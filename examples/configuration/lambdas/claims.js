function populate(jwt, user) {
  jwt.name = user.fullName;
}
