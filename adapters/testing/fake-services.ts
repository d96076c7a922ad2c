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

/** Everybody whom a service may send something to. */
export interface FakeServices {
  readonly broker: Capture<BrokerMessage, SendOutcome>;
  readonly http: FakeHttp;
  readonly mails: Capture<MailMessage, MailOutcome>;
  readonly moderation: Capture<ModeratedUsername, ModerationResult | undefined>;
  readonly texts: Capture<SmsMessage, MessageOutcome>;
}

type Ports = Pick<IdentityServiceOptions, "broker" | "http" | "mail" | "moderateUsername" | "sendSms">;

/** A world outside where everything arrives. */
export function createFakeServices(judgement: ModerationResult | undefined): FakeServices {
  return {
    broker: new Capture<BrokerMessage, SendOutcome>({ kind: "ok" }),
    http: new FakeHttp(),
    mails: new Capture<MailMessage, MailOutcome>({ kind: "ok" }),
    moderation: new Capture<ModeratedUsername, ModerationResult | undefined>(judgement),
    texts: new Capture<SmsMessage, MessageOutcome>({ kind: "ok" }),
  };
}

/** The options of a service that reach it. */
export function toPorts({ broker, http, mails, moderation, texts }: FakeServices, isModerated: boolean): Ports {
  return {
    broker: () => ({ publish: broker.take, close: async () => undefined }),
    http,
    mail: mails.take,
    sendSms: texts.take,
    ...(isModerated && { moderateUsername: moderation.take }),
  };
}

/** An answer, or what makes one of what was sent. */
export type ResponseTo<Message, Answer> = Answer | ((message: Message) => Answer | Promise<Answer>);

/** What left the service in one way, and what it is answered there. */
export interface Captured<Message, Answer> {
  /** In the order in which it left. */
  readonly sent: readonly Message[];
  /** Answers this to each message from now on. */
  answer(answer: ResponseTo<Message, Answer>): void;
  /** Forgets what was sent; answers stay. */
  clear(): void;
}

/** Where the service sends something, instead of the world outside. */
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

  /** What the service is given to send with. */
  readonly take = async (message: Message): Promise<Answer> => {
    this.#sent.push(message);
    const answer = this.#answer;
    return answer instanceof Function ? answer(message) : answer;
  };
}

/** What a call is answered: a response, or why there is none. */
export type HttpOutcome = OutboundFailure | HttpResponse;

/** What somebody who is called answers. */
export interface HttpResponse {
  /** Default 200. */
  readonly status?: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, or a value that is sent as JSON. Default: nothing. */
  readonly body?: unknown;
}

/** The calls over HTTP that the service makes: none of them leaves the process. */
export interface TestHttp {
  /** In the order in which they were made, as a receiver would get them. */
  readonly sent: readonly OutboundRequest[];
  /**
   * Answers this from now on to calls of a URL, or of `METHOD URL`; `*` is every URL that has no answer of its own. Default: 200, and
   * nothing else. `timedOut` takes no time.
   */
  answer(url: string, answer: ResponseTo<OutboundRequest, HttpOutcome>): void;
  /** Forgets what was sent; answers stay. */
  clear(): void;
}

/** Answers calls by their URLs. */
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
