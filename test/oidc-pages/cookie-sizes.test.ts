import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { login, startStage } from "./support/stage.js";
import { Visitor } from "./support/visitor.js";

requirement(
  "pages.unknown-users",
  "the state of a browser has the same size as that of a user, with each generator",
  async () => {
    const { setApplication, setTenant, world } = await startStage();
    const generators = ["randomAlpha", "randomAlphaNumeric", "randomBytes", "randomDigits"].map((type) => ({ length: 24, type }));
    for (const generator of [undefined, ...generators])
      for (const emailLoginStrategy of ["ClickableLink", "FormField"]) {
        if (generator) await setTenant({ externalIdentifierConfiguration: { passwordlessLoginGenerator: generator } });
        await setApplication({ passwordlessConfiguration: { enabled: true, emailLoginStrategy } });
        const sizes = [];
        for (const loginId of ["ann@example.com", "bob@example.com"]) {
          const visitor = new Visitor(world.identity);
          await visitor.open(`${login}/passwordless`);
          await visitor.send({ loginId });
          sizes.push(visitor.cookies.get("latchkey_flow")?.length);
        }
        expect(sizes[0], generator?.type).toBe(sizes[1]);
      }
  },
);
