const { slug } = require("text");

function populate(jwt, user) {
  jwt.department = slug(String(user.data.department));
}
