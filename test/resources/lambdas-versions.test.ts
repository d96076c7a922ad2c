import { describe, expect } from "vitest";
import type { Plan } from "../../src/availability/availability.js";
import { type LambdaType, lambdaTypeNames, lambdaTypes, toLambdaType } from "../../src/availability/lambda-types.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeLambda, postLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { forEachStorage } from "../support/world.js";

/** The types that came with each version, as the reference lists them. */
const since: Readonly<Record<string, readonly LambdaType[]>> = {
  "1.17.0": [
    "AppleReconcile",
    "ExternalJWTReconcile",
    "FacebookReconcile",
    "GoogleReconcile",
    "HYPRReconcile",
    "TwitterReconcile",
  ],
  "1.18.0": ["LDAPConnectorReconcile"],
  "1.23.0": ["LinkedInReconcile"],
  "1.28.0": [
    "ClientCredentialsJWTPopulate",
    "EpicGamesReconcile",
    "SonyPSNReconcile",
    "SteamReconcile",
    "TwitchReconcile",
    "XboxReconcile",
  ],
  "1.36.0": [
    "NintendoReconcile",
    "SCIMGroupRequestConverter",
    "SCIMGroupResponseConverter",
    "SCIMUserRequestConverter",
    "SCIMUserResponseConverter",
  ],
  "1.43.0": ["SelfServiceRegistrationValidation"],
  "1.50.0": ["UserInfoPopulate"],
  "1.53.0": ["LoginValidation"],
  "1.62.0": ["MFARequirement"],
};

const always: readonly LambdaType[] = ["JWTPopulate", "OpenIDReconcile", "SAMLv2Reconcile", "SAMLv2Populate"];

forEachStorage((start) => {
  describe("lambdas in older versions", () => {
    requirement("lambda.versions", "have the types of the version, by either name", async () => {
      const known = new Set<string>(always);
      for (const version of ["1.16.9", ...Object.keys(since)]) {
        for (const type of since[version] ?? []) known.add(type);
        const world = await start({ version });
        for (const type of lambdaTypeNames) {
          const answer = await postLambda(world, type);
          if (known.has(toLambdaType(type))) expectOk(answer);
          else expectRefusal(answer, 400, "[invalidOption]lambda.type");
        }
      }
      expect(known.size).toBe(Object.keys(lambdaTypes).length);
    });

    requirement(["lambda.versions", "lambda.list", "lambda.search"], "know no other types in lists and searches", async () => {
      const world = await start({ version: "1.61.0" });
      for (const path of ["/api/lambda?type=MFARequirement", "/api/lambda/search?type=MFARequirement"])
        expectRefusal(await world.caller.get(path), 400, "[couldNotConvert]type");
      expectOk(await world.caller.get("/api/lambda?type=LoginValidation"));
      expectOk(await searchBoth(world, "/api/lambda", { type: "LoginValidation" }));
    });

    requirement("lambda.engine", "have no engine before 1.35.0, and then one that is GraalJS when it is not said", async () => {
      const older = await start({ version: "1.34.0" });
      for (const engineType of [undefined, "Nashorn", "V8", 7])
        expect(expectOk(await postLambda(older, "JWTPopulate", { engineType })).at("lambda.engineType")).toBeUndefined();
      const newer = await start({ version: "1.35.0" });
      for (const engineType of [undefined, null, "GraalJS"])
        expect(expectOk(await postLambda(newer, "JWTPopulate", { engineType })).at("lambda.engineType")).toBe("GraalJS");
      expectRefusal(await postLambda(newer, "JWTPopulate", { engineType: "V8" }), 400, "[invalidOption]lambda.engineType");
    });

    requirement("lambda.nashorn", "run on Nashorn until 1.49.0", async () => {
      const older = await start({ version: "1.48.9" });
      const path = `/api/lambda/${await makeLambda(older, "JWTPopulate", { engineType: "Nashorn" })}`;
      expect(expectOk(await older.caller.patch(path, { lambda: { name: "Patched" } })).at("lambda.engineType")).toBe("Nashorn");
      const newer = await start({ version: "1.49.0" });
      expectRefusal(await postLambda(newer, "JWTPopulate", { engineType: "Nashorn" }), 400, "[invalidOption]lambda.engineType");
    });

    requirement("lambda.versions", "can be searched from 1.45.0 on", async () => {
      const older = await start({ version: "1.44.9" });
      expectEmpty(await older.caller.get("/api/lambda/search"), 404);
      expectOk(await (await start({ version: "1.45.0" })).caller.get("/api/lambda/search"));
    });
  });

  describe("lambdas in smaller plans", () => {
    requirement("lambda.plans", "are refused where their type needs a larger one", async () => {
      const games = [
        "EpicGamesReconcile",
        "NintendoReconcile",
        "SonyPSNReconcile",
        "SteamReconcile",
        "TwitchReconcile",
        "XboxReconcile",
      ];
      const least = (type: LambdaType): Plan => {
        if (type === "MFARequirement" || type.startsWith("SCIM")) return "enterprise";
        if (games.includes(type)) return "essentials";
        return type === "LDAPConnectorReconcile" || type === "ClientCredentialsJWTPopulate" ? "starter" : "community";
      };
      const plans: readonly Plan[] = ["community", "starter", "essentials", "enterprise"];
      for (const [rank, plan] of plans.entries()) {
        const world = await start({ plan });
        for (const type of lambdaTypeNames) {
          const answer = await postLambda(world, type);
          if (plans.indexOf(least(toLambdaType(type))) <= rank) expectOk(answer);
          else expectRefusal(answer, 400, "[notLicensed]lambda.type");
        }
      }
    });
  });
});
