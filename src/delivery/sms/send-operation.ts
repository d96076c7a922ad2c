import { defineOperation, lazyOperation, type OperationSignature, type OperationsOf } from "../../operations/operation.js";

/** A text message that a host sends. */
export interface SendSmsInput {
  /** The number that it goes to. Default: the user's. */
  readonly mobilePhone?: string | undefined;
  /** What it says, in 1,600 characters at most. */
  readonly textMessage: string;
  /** Whose message it is; need not be said where a user is named or where there is one tenant only. */
  readonly tenantId?: string | undefined;
  /** Somebody in the directory whom it is for. */
  readonly userId?: string | undefined;
  /** Whether to send it at once and report whether it was accepted, instead of sending it after the commit. */
  readonly wait?: boolean | undefined;
}

/** What a host can do with text messages. */
export interface SmsOperations {
  /**
   * Sends a text message: kept in the transaction of the call, sent after its commit and tried again until it is taken; with `wait` at once,
   * or not at all. `id` is what it leaves under.
   */
  readonly send: OperationSignature<SendSmsInput, { readonly id: string }>;
}

export const smsOperations: OperationsOf<SmsOperations> = {
  send: defineOperation(
    "sms.send",
    [],
    lazyOperation(() => import("./send-sms.js"), "sendSms"),
  ),
};
