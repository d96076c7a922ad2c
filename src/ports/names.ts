/** The words that stand for vendors in headers and bodies. */
export interface Names {
  /** In the tenant header `X-<service>-TenantId`. Default `Service`. */
  readonly service: string;
  readonly moderation: string;
  readonly broker: string;
  readonly sms: string;
}
