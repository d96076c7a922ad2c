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
export class Capture<Message, Answer> implements Captured<Message, Answer> {
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
