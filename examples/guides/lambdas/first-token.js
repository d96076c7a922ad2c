function populate(jwt, user) {
  const { data } = api.user.retrieve(user.id);
  if (data?.firstToken) return;
  api.user.patch(user.id, { data: { firstToken: jwt.iat } });
}
