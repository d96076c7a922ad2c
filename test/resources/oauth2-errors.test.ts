import { OAuthError } from "latchkey";
import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { askToken, basic, grantTo, refusalOf, sendForm, startOffice } from "../support/clients.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const path = "/oauth2/token";
const formType = "application/x-www-form-urlencoded";

forEachStorage((start) => {
  describe("the token endpoint refuses", () => {
    requirement(["oauth.errors", "oauth.grant-type"], "what is wrong with its reason, error and status", async () => {
      const { world, client } = await startOffice(start);
      const { clientId: client_id, clientSecret: client_secret } = client;
      const grant = { grant_type: "client_credentials" };
      const header = basic(client_id, client_secret);
      const cases: readonly (readonly [
        fields: Readonly<Record<string, string>>,
        headers: Readonly<Record<string, string>>,
        ...unknown[],
      ])[] = [
        [{}, header, 400, "invalid_request", "missing_grant_type"],
        [{ grant_type: "" }, header, 400, "invalid_request", "missing_grant_type"],
        [{ grant_type: "password" }, header, 400, "unsupported_grant_type", "invalid_grant_type"],
        [{ grant_type: "refresh_token" }, {}, 400, "unsupported_grant_type", "invalid_grant_type"],
        [grant, {}, 401, "invalid_client", "client_authentication_missing"],
        [{ ...grant, client_secret }, {}, 400, "invalid_request", "missing_client_id"],
        [{ ...grant, client_id }, {}, 401, "invalid_client", "missing_client_secret"],
        [{ ...grant, client_id, client_secret }, header, 400, "invalid_request", "multiple_client_authentications"],
        [{ ...grant, client_secret }, header, 400, "invalid_request", "multiple_client_authentications"],
        [{ ...grant, client_id: "x" }, header, 400, "invalid_request", "client_id_mismatch"],
        [grant, { authorization: "Bearer x" }, 401, "invalid_client", "invalid_client_authentication_scheme"],
        [grant, { authorization: "" }, 401, "invalid_client", "invalid_client_authentication_scheme"],
        [grant, { authorization: "Basic" }, 401, "invalid_client", "invalid_client_authentication_scheme"],
        [grant, { authorization: "bootstrap-key" }, 401, "invalid_client", "invalid_client_authentication_scheme"],
        [grant, { authorization: "Basic ?" }, 401, "invalid_client", "invalid_client_authentication"],
        [grant, { authorization: `${header.authorization}=` }, 401, "invalid_client", "invalid_client_authentication"],
        [grant, basic(client_id, "x"), 401, "invalid_client", "invalid_client_authentication"],
        [grant, basic("\u0000", client_secret), 401, "invalid_client", "invalid_client_authentication"],
        [grant, basic("x".repeat(5_000), "x".repeat(5_000)), 401, "invalid_client", "invalid_client_authentication"],
        [grant, basic("\u{1F600}", "\u{1F600}"), 401, "invalid_client", "invalid_client_authentication"],
      ];
      for (const [fields, headers, ...refusal] of cases)
        expect([fields, ...refusalOf(await sendForm(world, path, fields, headers))]).toEqual([fields, ...refusal]);
    });

    requirement(["oauth.errors", "oauth.dry-run"], "a dry run, whose token would be a real one", async () => {
      const { world, client } = await startOffice(start);
      const fields = { grant_type: "client_credentials" };
      const header = basic(client.clientId, client.clientSecret);
      const dry = await sendForm(world, `${path}?dryRun=true`, fields, header);
      expect(refusalOf(dry)).toEqual([400, "invalid_request", "dry_run"]);
      expectOk(await sendForm(world, path, fields, header));
      await expect(world.identity.oauth2.token({ grant_type: "client_credentials" }, { dryRun: true })).rejects.toMatchObject({
        reason: "dry_run",
      });
    });

    requirement("oauth.client-alike", "an unknown client and a wrong secret alike", async () => {
      const { world, client } = await startOffice(start);
      const wrong = await askToken(world, { ...client, clientSecret: "wrong" });
      const unknown = await askToken(world, { clientId: uuid(99), clientSecret: client.clientSecret });
      expect([unknown.status, unknown.headers, unknown.text]).toEqual([wrong.status, wrong.headers, wrong.text]);
      expect(refusalOf(wrong)).toEqual([401, "invalid_client", "invalid_client_authentication"]);
    });

    requirement("oauth.body", "parameters that come twice", async () => {
      const { world, client } = await startOffice(start);
      const fields = [
        ["grant_type", "client_credentials"],
        ["client_id", client.clientId],
        ["client_secret", client.clientSecret],
        ["scope", ""],
        ["tenantId", client.tenantId],
      ] as const;
      expectOk(await sendForm(world, path, fields));
      for (const field of fields)
        expect(refusalOf(await sendForm(world, path, [...fields, field]))).toEqual([
          400,
          "invalid_request",
          "repeated_parameter",
        ]);
      expectOk(await sendForm(world, path, [...fields, ["resource", "a"], ["resource", "b"]]));
    });

    requirement("oauth.body", "each body that is no form", async () => {
      const { world, client } = await startOffice(start);
      const { clientId: client_id, clientSecret: client_secret } = client;
      const caller = new Caller(world.identity, basic(client_id, client_secret));
      const fields = { grant_type: "client_credentials" };
      expect(refusalOf(await caller.post(path))).toEqual([400, "invalid_request", "missing_grant_type"]);
      const text = new URLSearchParams(fields).toString();
      const bodies: readonly (readonly [body: unknown, type: string])[] = [
        [fields, "application/json"],
        [text, "text/plain"],
        [text, "multipart/form-data; boundary=x"],
        [text, ""],
        [text, "x"],
        [text, `${formType}; charset=iso-8859-1`],
        [Buffer.from("grant_type=\xff", "latin1"), formType],
        ["grant_type=%00", formType],
        ["__proto__=1&grant_type=client_credentials", formType],
      ];
      for (const [body, type] of bodies)
        expect([type, ...refusalOf(await caller.post(path, body, { "content-type": type }))]).toEqual([
          type,
          400,
          "invalid_request",
          "invalid_request_body",
        ]);
      const gzip = { "content-type": formType, "content-encoding": "gzip" };
      expect(refusalOf(await caller.post(path, text, gzip))[2]).toBe("invalid_request_body");
      expectOk(await caller.post(path, text, { "content-type": `${formType}; charset=utf-8` }));
      expectRefusal(await caller.post(path, `a=${"x".repeat(2_000_000)}`, { "content-type": formType }), 413, "[tooLarge]");
      expectEmpty(await caller.get(path), 405);
    });

    requirement("oauth.body", "what the host's own parser made of a strange form", async () => {
      const { world, client } = await startOffice(start);
      const send = async (value: unknown): Promise<readonly unknown[]> => {
        const headers = { ...basic(client.clientId, client.clientSecret), "content-type": formType };
        const response = await world.identity.handle({
          method: "POST",
          path,
          query: "",
          headers,
          body: { kind: "parsed", value },
        });
        return [response?.status, JSON.parse(response?.body ?? "").error_reason];
      };
      const grant_type = "client_credentials";
      expect(await send({ grant_type })).toEqual([200, undefined]);
      for (const value of [{ grant_type: { a: "b" } }, { grant_type: [grant_type] }, { grant_type, scope: 7 }])
        expect(await send(value)).toEqual([400, "repeated_parameter"]);
      for (const value of [null, [], "x", 7]) expect(await send(value)).toEqual([400, "missing_grant_type"]);
    });

    requirement("oauth.errors", "two Authorization headers", async () => {
      const { world, client } = await startOffice(start);
      const { authorization } = basic(client.clientId, client.clientSecret);
      const response = await world.identity.handle({
        method: "POST",
        path,
        query: "",
        headers: { authorization, "content-type": formType },
        rawHeaders: ["Authorization", authorization, "authorization", "x"],
        body: { kind: "text", text: "grant_type=client_credentials" },
      });
      expect([response?.status, JSON.parse(response?.body ?? "").error_reason]).toEqual([
        401,
        "invalid_client_authentication_scheme",
      ]);
    });

    requirement("oauth.plan", "with not_licensed in a plan without entities", async () => {
      const world = await start({ plan: "community" });
      const answer = await askToken(world, { clientId: "x", clientSecret: "x" });
      expect(refusalOf(answer)).toEqual([400, "not_licensed", "not_licensed"]);
    });

    requirement("oauth.version", "nothing before 1.26.0, when it is not there", async () => {
      const world = await start({ version: "1.25.0" });
      expect((await askToken(world, { clientId: "x", clientSecret: "x" })).status).toBe(404);
    });
  });

  requirement("service.same-errors", "in process the same refusals are thrown", async () => {
    const { world, client } = await startOffice(start);
    const { token } = world.identity.oauth2;
    const fields = { grant_type: "client_credentials", client_id: client.clientId };
    const wrong = await token({ ...fields, client_secret: "wrong" }).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(OAuthError);
    expect(wrong).toMatchObject({
      status: 401,
      error: "invalid_client",
      reason: "invalid_client_authentication",
      code: "[invalid_client_authentication]",
    });
    await expect(token({ ...fields, client_secret: "\u0000" })).rejects.toMatchObject({ reason: "invalid_request_body" });
  });

  requirement("oauth.secrecy", "no log and no refusal holds a secret or a token", async () => {
    const { world, client } = await startOffice(start);
    await grantTo(world, client, ["GET:/api/group"]);
    const answer = expectOk(await askToken(world, client));
    const answers: Answer[] = [
      await askToken(world, { ...client, clientSecret: `${client.clientSecret}x` }),
      await askToken(world, client, { scope: client.clientSecret }),
      await sendForm(world, "/oauth2/introspect", { token: answer.textAt("access_token"), client_id: client.clientSecret }),
    ];
    const seen = JSON.stringify([answers.map(({ text, headers }) => [text, headers]), world.log]);
    expect(answers.map(({ status }) => status)).toEqual([401, 400, 401]);
    expect(seen).not.toContain(client.clientSecret);
    expect(seen).not.toContain(answer.textAt("access_token"));
  });
});
