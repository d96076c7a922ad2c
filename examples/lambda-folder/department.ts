import type { JWTPopulate } from "latchkey/lambdas";

declare global {
  interface LambdaModules {
    readonly text: { slug(text: string): string };
  }
}

const { slug } = require("text");

const populate: JWTPopulate = (jwt, user) => {
  jwt.department = slug(String(user.data.department));
  console.info("department", jwt.department);
};
