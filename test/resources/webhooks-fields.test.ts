import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { certificate } from "../support/certificate.js";
import { requirement } from "../support/requirement.js";
import { leastWebhook, makeWebhook, postWebhook } from "../support/webhooks.js";
import { forEachStorage, uuid } from "../support/world.js";

const forbidden = [
  ...[
    "Host",
    "host",
    "CONNECTION",
    "Keep-Alive",
    "Proxy-Authorization",
    "Proxy-Connection",
    "TE",
    "Trailer",
    "Transfer-Encoding",
  ],
  ...["Upgrade", "Expect", "Content-Type", "content-length", "Content-Encoding", "Content-Anything", "webhook-id"],
  ...["Webhook-Timestamp", "webhook-signature", "X-Service-Signature-JWT", "x-acme-signature-jwt"],
];

const sixty = "x".repeat(60);

forEachStorage((start) => {
  describe("the fields of a webhook", () => {
    requirement("webhook.url", "take a full URL of HTTP or HTTPS and keep it as it is", async () => {
      const world = await start();
      const urls = [
        "http://example.com",
        "HTTPS://Example.COM:8443/a%20b/?q=a@b#part",
        "https://[::1]:9000/hook",
        "http://127.0.0.1/",
        "https://müller.example/ü?ä",
        `https://example.com/${"p".repeat(7_900)}`,
      ];
      for (const url of urls) expect(expectOk(await postWebhook(world, { url })).at("webhook.url")).toBe(url);
    });

    requirement("webhook.url", "refuse what is no such URL, or has user info or hidden characters", async () => {
      const world = await start();
      const wrong = [
        ...[
          "example.com",
          "/events",
          "//example.com",
          "ftp://example.com",
          "javascript:alert(1)",
          "file:///etc/passwd",
          "data:,a",
        ],
        ...["http:example.com", "https:/example.com", "https://", "https:///a", "https://?q", "https://#f", "https://:80"],
        ...["https://user@example.com", "https://user:pass@example.com", "https://:@example.com", "https://@example.com"],
        ...[
          "https://example.com\\@evil.example",
          "https:\\\\example.com",
          " https://example.com",
          "https://example.com ",
          "https://a b",
        ],
        ...[
          "https://exa\tmple.com",
          "https://example.com/\r\nHost: a",
          "https://example.com:99999",
          "https://exa%00mple.com",
          "https://a..b\u0085",
        ],
      ];
      for (const url of wrong) expectRefusal(await postWebhook(world, { url }), 400, "[invalid]webhook.url");
      expectRefusal(await postWebhook(world, { url: `https://example.com/${"p".repeat(8_000)}` }), 400, "[tooLong]webhook.url");
      expectRefusal(await postWebhook(world, { url: 7 }), 400, "[invalidJSON]webhook.url");
    });

    requirement("webhook.timeouts", "take whole milliseconds from 1 to 600,000", async () => {
      const world = await start();
      for (const timeout of [1, 600_000]) expectOk(await postWebhook(world, { connectTimeout: timeout, readTimeout: timeout }));
      for (const timeout of [0, -1, 600_001, 1e15]) {
        expectRefusal(await postWebhook(world, { connectTimeout: timeout }), 400, "[invalid]webhook.connectTimeout");
        expectRefusal(await postWebhook(world, { readTimeout: timeout }), 400, "[invalid]webhook.readTimeout");
      }
      for (const timeout of ["1000", 1.5, true, [1_000]])
        expectRefusal(await postWebhook(world, { readTimeout: timeout }), 400, "[invalidJSON]webhook.readTimeout");
    });

    requirement("webhook.headers", "take headers of the caller's, with trimmed values", async () => {
      const world = await start();
      const headers = {
        Authorization: " Bearer t\t",
        "X-Empty": "  ",
        Cookie: "a=b; c",
        "!#$%&'*+.^_`|~9": "~\ta",
        constructor: "c",
      };
      const trimmed = { ...headers, Authorization: "Bearer t", "X-Empty": "" };
      expect(expectOk(await postWebhook(world, { headers })).at("webhook.headers")).toEqual(trimmed);
    });

    requirement("webhook.headers", "refuse names of the transfer and of the signature, and what is no header", async () => {
      const world = await start();
      for (const name of forbidden)
        expectRefusal(await postWebhook(world, { headers: { [name]: "x" } }), 400, `[invalid]webhook.headers${inPath(name)}`);
      for (const name of ["", "a b", "a:b", "ü", "a\r\nb", "(a)", "a/b"])
        expectRefusal(await postWebhook(world, { headers: { [name]: "x" } }), 400, `[invalid]webhook.headers[${name}]`);
      for (const value of ["a\r\nHost: b", "a\nb", "ü", "\u{1f600}", "a\u007fb", "a\u0001b"])
        expectRefusal(await postWebhook(world, { headers: { "X-A": value } }), 400, "[invalid]webhook.headers[X-A]");
      expectRefusal(await postWebhook(world, { headers: { "X-A": 7 } }), 400, "[invalidJSON]webhook.headers[X-A]");
      expectRefusal(await postWebhook(world, { headers: ["X-A"] }), 400, "[invalidJSON]webhook.headers");
    });

    requirement("webhook.headers-limits", "take 100 headers and 8,000 characters, and no more", async () => {
      const world = await start();
      const headers = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, "v"]));
      expectOk(await postWebhook(world, { headers: headers(100) }));
      expectRefusal(await postWebhook(world, { headers: headers(101) }), 400, "[tooMany]webhook.headers");
      expectOk(await postWebhook(world, { headers: { "X-A": "v".repeat(7_997) } }));
      expectRefusal(await postWebhook(world, { headers: { "X-A": "v".repeat(7_998) } }), 400, "[tooLong]webhook.headers");
      const path = `/api/webhook/${await makeWebhook(world, { headers: headers(100) })}`;
      expectRefusal(await world.caller.patch(path, { webhook: { headers: { "X-New": "v" } } }), 400, "[tooMany]webhook.headers");
    });

    requirement("webhook.credentials", "take credentials that HTTP basic can carry, trimmed", async () => {
      const world = await start();
      const basic = (httpAuthenticationUsername: string, httpAuthenticationPassword: string): object => ({
        httpAuthenticationUsername,
        httpAuthenticationPassword,
      });
      const made = expectOk(await postWebhook(world, basic(" name ", "\tpäss:word ")));
      expect(made.at("webhook")).toMatchObject(basic("name", "päss:word"));
      expect(expectOk(await postWebhook(world, basic("  ", " "))).at("webhook")).toMatchObject(basic("", ""));
      const codes = ["[invalid]webhook.httpAuthenticationUsername", "[invalid]webhook.httpAuthenticationPassword"];
      expectRefusal(await postWebhook(world, basic("a:b", "a\r\nb")), 400, ...codes);
      const long = await postWebhook(world, basic("a".repeat(1_001), "a".repeat(1_000)));
      expectRefusal(long, 400, "[tooLong]webhook.httpAuthenticationUsername");
    });

    requirement("webhook.certificate", "take a certificate in PEM or several, trimmed, or none", async () => {
      const world = await start();
      for (const pem of [certificate, `${certificate}\r\n\n${certificate}`, certificate.replaceAll("\n", "\r\n"), ""]) {
        const made = expectOk(await postWebhook(world, { sslCertificate: ` \n${pem}\n` }));
        expect(made.at("webhook.sslCertificate")).toBe(pem);
      }
    });

    requirement("webhook.certificate", "refuse what is no certificate, and anything beside one", async () => {
      const world = await start();
      const [body = ""] = certificate.split("-----").filter((part) => part.length > 100);
      const wrong = [
        ...["x", body, certificate.slice(0, -10), certificate.slice(5), certificate.replaceAll("CERTIFICATE", "PRIVATE KEY")],
        ...[
          `${certificate}\n${sixty}`,
          `${sixty}\n${certificate}`,
          certificate.replace("MII", "MIA"),
          certificate.replace(body, ""),
        ],
        `${certificate}\n-----BEGIN PRIVATE KEY-----\n${sixty}\n-----END PRIVATE KEY-----`,
        "-----BEGIN CERTIFICATE-----".repeat(10_000),
        "-----END CERTIFICATE-----".repeat(10_000),
      ];
      for (const sslCertificate of wrong) {
        const answer = await postWebhook(world, { sslCertificate });
        expectRefusal(answer, 400, "[invalid]webhook.sslCertificate");
        expect(answer.text).not.toContain(sixty);
      }
    });

    requirement("webhook.certificate", "refuse a certificate beside the key of one", async () => {
      const world = await start();
      const both = { sslCertificate: certificate, sslCertificateKeyId: uuid(1) };
      expectRefusal(await postWebhook(world, both), 400, "[invalid]webhook.sslCertificate");
      const more = await postWebhook(world, { ...both, url: 7, connectTimeout: 0 });
      expectRefusal(more, 400, "[invalid]webhook.connectTimeout", "[invalid]webhook.sslCertificate", "[invalidJSON]webhook.url");
      const path = `/api/webhook/${await makeWebhook(world, { sslCertificate: certificate })}`;
      const added = await world.caller.patch(path, { webhook: { sslCertificateKeyId: uuid(1) } });
      expectRefusal(added, 400, "[invalid]webhook.sslCertificate");
    });

    requirement("webhook.signature", "need a key where events are to be signed", async () => {
      const world = await start();
      const code = "[missing]webhook.signatureConfiguration.signingKeyId";
      expectRefusal(await postWebhook(world, { signatureConfiguration: { enabled: true } }), 400, code);
      const wrong = { signatureConfiguration: { enabled: true }, url: "", readTimeout: "x" };
      expectRefusal(await postWebhook(world, wrong), 400, code, "[blank]webhook.url", "[invalidJSON]webhook.readTimeout");
      for (const off of [{}, { enabled: false }, null])
        expect(expectOk(await postWebhook(world, { signatureConfiguration: off })).at("webhook.signatureConfiguration")).toEqual({
          enabled: false,
        });
      const path = `/api/webhook/${await makeWebhook(world)}`;
      expectRefusal(await world.caller.patch(path, { webhook: { signatureConfiguration: { enabled: true } } }), 400, code);
      expect((await world.caller.put(path, { webhook: leastWebhook })).at("webhook.signatureConfiguration.enabled")).toBe(false);
    });

    requirement("webhook.keys", "refuse keys that are not there", async () => {
      const world = await start();
      const keys = { signatureConfiguration: { enabled: true, signingKeyId: uuid(1) }, sslCertificateKeyId: uuid(2) };
      const paths = ["webhook.signatureConfiguration.signingKeyId", "webhook.sslCertificateKeyId"];
      expectRefusal(await postWebhook(world, keys), 400, ...paths.map((path) => `[invalid]${path}`));
      const malformed = { signatureConfiguration: { signingKeyId: "x" }, sslCertificateKeyId: "y" };
      expectRefusal(await postWebhook(world, malformed), 400, ...paths.map((path) => `[couldNotConvert]${path}`));
    });
  });
});

function inPath(name: string): string {
  return /^\w+$/.test(name) ? `.${name}` : `[${name}]`;
}
