/** @type {import("latchkey/lambda-types").JWTPopulate} */
function populate(jwt) {
  jwt.plan = jwt.department === "research-lab" ? "gold" : "free";
}
