/** The words that replace vendor names in headers and bodies. */
export interface Names {
  /** In the tenant header `X-<service>-TenantId`. Default `Service`. */
  readonly service: string;
  /** The key of the moderation service in `integrations`. Default `moderation`. */
  readonly moderation: string;
  /** The key of the message broker in `integrations`. Default `broker`. */
  readonly broker: string;
  /** The key of the SMS provider in `integrations`. Default `sms`. */
  readonly sms: string;
}
