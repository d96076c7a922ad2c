// samlify, with the types that these tests use: its own declare the types of browsers for the whole program.
import { createRequire } from "node:module";

/** A party of SAML. */
export interface Entity {
  readonly entityMeta: object;
}

/** A service provider of samlify. */
export interface ServicePeer extends Entity {
  createLoginRequest(provider: Entity, binding: "redirect"): { readonly id: string; readonly context: string };
}

/** An identity provider of samlify. */
export interface ProviderPeer extends Entity {
  parseLoginRequest(service: Entity, binding: "redirect", request: object): Promise<{ readonly extract: object }>;
  createLoginResponse(
    service: Entity,
    request: object,
    binding: "post",
    user: object,
    replaceTags: (template: string) => { readonly id: string; readonly context: string },
  ): Promise<{ readonly context: string }>;
}

interface Samlify {
  setSchemaValidator(validator: object): void;
  ServiceProvider(settings: object): ServicePeer;
  IdentityProvider(settings: object): ProviderPeer;
  readonly SamlLib: { verifySignature(document: string, options: object): readonly [isValid: boolean, content: string | null] };
}

/** The library. It checks documents against no schema here. */
export const samlify: Samlify = createRequire(import.meta.url)("samlify") as Samlify;
samlify.setSchemaValidator({ validate: async () => "valid" });
