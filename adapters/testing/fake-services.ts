import type { IdentityServiceOptions } from "latchkey";
import type {
  BrokerMessage,
  HttpClient,
  MailMessage,
  MailOutcome,
  MessageOutcome,
  ModeratedUsername,
  ModerationResult,
  OutboundFailure,
  OutboundOutcome,
  OutboundRequest,
  SendOutcome,
  SmsMessage,
} from "latchkey/ports";

/** Fakes of all external services. */
export interface FakeServices {
  readonly broker: Capture<BrokerMessage, SendOutcome>;
  readonly http: FakeHttp;
  readonly mails: Capture<MailMessage, MailOutcome>;
  readonly moderation: Capture<ModeratedUsername, ModerationResult | undefined>;
  readonly texts: Capture<SmsMessage, MessageOutcome>;
}

type Ports = Pick<IdentityServiceOptions, "broker" | "http" | "mail" | "moderateUsername" | "sendSms">;

/** Creates fakes that accept everything. */
export function createFakeServices(judgement: ModerationResult | undefined): FakeServices {
  return {
    broker: new Capture<BrokerMessage, SendOutcome>({ kind: "ok" }),
    http: new FakeHttp(),
    mails: new Capture<MailMessage, MailOutcome>({ kind: "ok" }),
    moderation: new Capture<ModeratedUsername, ModerationResult | undefined>(judgement),
    texts: new Capture<SmsMessage, MessageOutcome>({ kind: "ok" }),
  };
}

/** The service options that connect the fakes. */
export function toPorts({ broker, http, mails, moderation, texts }: FakeServices, isModerated: boolean): Ports {
  return {
    broker: () => ({ publish: broker.take, close: async () => undefined }),
    http,
    mail: mails.take,
    sendSms: texts.take,
    ...(isModerated && { moderateUsername: moderation.take }),
  };
}

/** A response, or a function that computes it from the message. */
export type ResponseTo<Message, Answer> = Answer | ((message: Message) => Answer | Promise<Answer>);

/** The messages on one channel out of the service, and their responses. */
export interface Captured<Message, Answer> {
  /** The messages, in sending order. */
  readonly sent: readonly Message[];
  /** Sets the response to every message from now on. */
  answer(answer: ResponseTo<Message, Answer>): void;
  /** Clears the messages; responses stay. */
  clear(): void;
}

/** Records the messages of one channel. */
class Capture<Message, Answer> implements Captured<Message, Answer> {
  readonly #sent: Message[] = [];
  #answer: ResponseTo<Message, Answer>;

  constructor(answer: ResponseTo<Message, Answer>) {
    this.#answer = answer;
  }

  get sent(): readonly Message[] {
    return [...this.#sent];
  }

  answer(answer: ResponseTo<Message, Answer>): void {
    this.#answer = answer;
  }

  clear(): void {
    this.#sent.length = 0;
  }

  /** The function that the service sends with. */
  readonly take = async (message: Message): Promise<Answer> => {
    this.#sent.push(message);
    const answer = this.#answer;
    return answer instanceof Function ? answer(message) : answer;
  };
}

/** The outcome of a call: a response, or the failure. */
export type HttpOutcome = OutboundFailure | HttpResponse;

/** The response to a call. */
export interface HttpResponse {
  /** Default 200. */
  readonly status?: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, or a value that is serialized as JSON. Default: empty. */
  readonly body?: unknown;
}

/** The HTTP calls of the service; none of them leaves the process. */
export interface TestHttp {
  /** The calls in order, as a receiver would get them. */
  readonly sent: readonly OutboundRequest[];
  /**
   * Sets the response for a URL or for `METHOD URL`; `*` matches every URL without its own response. Default: 200 and an empty
   * body. `timedOut` takes no time.
   */
  answer(url: string, answer: ResponseTo<OutboundRequest, HttpOutcome>): void;
  /** Clears the calls; responses stay. */
  clear(): void;
}

/** Responds to calls by URL. */
class FakeHttp implements TestHttp, HttpClient {
  readonly #answers = new Map<string, ResponseTo<OutboundRequest, HttpOutcome>>();
  readonly #capture = new Capture<OutboundRequest, OutboundOutcome>((request) => this.#answerTo(request));

  get sent(): readonly OutboundRequest[] {
    return this.#capture.sent;
  }

  answer(url: string, answer: ResponseTo<OutboundRequest, HttpOutcome>): void {
    this.#answers.set(url, answer);
  }

  clear(): void {
    this.#capture.clear();
  }

  send(request: OutboundRequest): Promise<OutboundOutcome> {
    return this.#capture.take(request);
  }

  async close(): Promise<void> {}

  async #answerTo(request: OutboundRequest): Promise<OutboundOutcome> {
    const { method, url } = request;
    const names = [`${method} ${url}`, url, "*"];
    const found = names.map((name) => this.#answers.get(name)).find((answer) => answer !== undefined) ?? {};
    return toOutcome(found instanceof Function ? await found(request) : found);
  }
}

function toOutcome(answer: HttpOutcome): OutboundOutcome {
  if (typeof answer === "string") return { kind: "failed", reason: answer };
  const { status = 200, headers = {}, body = "" } = answer;
  return { kind: "answered", status, headers, body: typeof body === "string" ? body : JSON.stringify(body), isCut: false };
}
