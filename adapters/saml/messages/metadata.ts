import { attribute, type XmlFragment, xml } from "../xml/write-xml.js";
import { bindings, namespaces } from "./names.js";

const { metadata: md, protocol: samlp, signature: ds } = namespaces;

/** A key in metadata. */
export interface PublishedKey {
  readonly use: "encryption" | "signing";
  /** In PEM. */
  readonly certificate: string;
}

/** The metadata of this service as a service provider. */
export interface ServiceProvider {
  readonly entityId: string;
  readonly consumerUrl: string;
  readonly keys: readonly PublishedKey[];
  readonly signsRequests: boolean;
  readonly nameIdFormat: string | undefined;
}

/** Writes the metadata of a service provider (saml-metadata-2.0, 2.4.4). */
export function writeProviderMetadata(provider: ServiceProvider): string {
  const { consumerUrl, entityId, keys, nameIdFormat, signsRequests } = provider;
  const format = nameIdFormat === undefined ? undefined : xml`<md:NameIDFormat>${nameIdFormat}</md:NameIDFormat>`;
  const consumer = xml`<md:AssertionConsumerService Binding="${bindings.post}" Location="${consumerUrl}" index="0" isDefault="true"/>`;
  const role = xml`<md:SPSSODescriptor AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="true" protocolSupportEnumeration="${samlp}">${keys.map(writeKey)}${format}${consumer}</md:SPSSODescriptor>`;
  return writeEntity(entityId, role);
}

/** The metadata of this service as an identity provider. */
export interface IdentityProviderMetadata {
  readonly entityId: string;
  readonly loginUrl: string;
  readonly keys: readonly PublishedKey[];
  readonly wantsSignedRequests: boolean;
  readonly nameIdFormats: readonly string[];
}

/** Writes the metadata of an identity provider (saml-metadata-2.0, 2.4.3). */
export function writeIdentityProviderMetadata(provider: IdentityProviderMetadata): string {
  const { entityId, keys, loginUrl, nameIdFormats, wantsSignedRequests } = provider;
  const formats = nameIdFormats.map((format) => xml`<md:NameIDFormat>${format}</md:NameIDFormat>`);
  const services = [bindings.redirect, bindings.post].map(
    (binding) => xml`<md:SingleSignOnService Binding="${binding}" Location="${loginUrl}"/>`,
  );
  const role = xml`<md:IDPSSODescriptor WantAuthnRequestsSigned="${wantsSignedRequests}" protocolSupportEnumeration="${samlp}">${keys.map(writeKey)}${formats}${services}</md:IDPSSODescriptor>`;
  return writeEntity(entityId, role);
}

function writeEntity(entityId: string, role: XmlFragment): string {
  const declared = attribute("entityID", entityId);
  return `<?xml version="1.0" encoding="UTF-8"?>${xml`<md:EntityDescriptor xmlns:md="${md}" xmlns:ds="${ds}"${declared}>${role}</md:EntityDescriptor>`}`;
}

function writeKey({ certificate, use }: PublishedKey): XmlFragment {
  const der = certificate.replaceAll(/-----[A-Z ]+-----|\s/g, "");
  return xml`<md:KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${der}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
}
