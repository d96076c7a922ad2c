/** docs/moving.md: a service that asks Amazon Cognito for the first login. */
import { readFileSync } from "node:fs";
import { sqliteStorage } from "latchkey/sqlite";

const clientId = process.env.COGNITO_CLIENT_ID;
const cognitoUrl = process.env.COGNITO_URL; // https://cognito-idp.eu-central-1.amazonaws.com/

export default {
  storage: sqliteStorage({ filename: "latchkey.db" }),
  secret: readFileSync("latchkey.db.secret", "utf8").trim(),
  passwordSchemes: {
    cognito: {
      async verify(password, username) {
        const body = {
          AuthFlow: "USER_PASSWORD_AUTH",
          ClientId: clientId,
          AuthParameters: { USERNAME: username, PASSWORD: password },
        };
        const target = "AWSCognitoIdentityProviderService.InitiateAuth";
        const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": target };
        const response = await fetch(cognitoUrl, { method: "POST", headers, body: JSON.stringify(body) });
        return response.ok;
      },
    },
  },
};
