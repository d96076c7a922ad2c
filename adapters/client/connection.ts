import { type ClientOptions, type ClientSettings, checkTimeout, toSettings } from "./options.js";
import { type ClientRequest, toRequest } from "./request.js";
import { toResult } from "./response.js";
import { ClientError, noResponse, type Result } from "./result.js";
import { waitAfter } from "./retry.js";
import { ResponseTooLarge, untilAborted } from "./transports.js";
import type { ClientCallOptions, Connection } from "./types.js";

type RunningCall = { readonly settings: ClientSettings; readonly request: ClientRequest; readonly watch: Watch };

/** The first use of a key, and whether the service has ever accepted it. */
interface KeyUse {
  firstInstant: number | undefined;
  isKnown: boolean;
}

/** Returns a connection for families: `groups(connect({ baseUrl, apiKey }))`. @throws TypeError when an option is wrong. */
export function connect(options: ClientOptions): Connection {
  const settings = toSettings(options);
  const key: KeyUse = { firstInstant: undefined, isKnown: !settings.hasKey };
  return Object.freeze({
    async call(row: string, input: object = {}, callOptions: ClientCallOptions = {}): Promise<Result<unknown>> {
      const timeoutMs = checkTimeout(callOptions.timeoutMs ?? settings.timeoutMs);
      try {
        const { tenantId = settings.tenantId } = callOptions;
        const request = toRequest(row, input, { ...callOptions, tenantHeader: settings.tenantHeader, tenantId });
        const watch = startWatch(settings, timeoutMs, callOptions.signal);
        return await send({ settings, request, watch }, key).finally(watch.stop);
      } catch (error) {
        if (error instanceof ClientError) return error.failure;
        throw error;
      }
    },
  });
}

async function send(call: RunningCall, key: KeyUse): Promise<Result<unknown>> {
  const { request, settings, watch } = call;
  for (let attempts = 1; ; attempts++) {
    key.firstInstant ??= settings.clock();
    const result = await attempt(call, attempts);
    if (result.status !== undefined && result.status !== 401) key.isKnown = true;
    if (result.ok) return result;
    const newKeyLeftMs = key.isKnown ? 0 : key.firstInstant + settings.backoff.newKeyMs - settings.clock();
    const wait = waitAfter({ request, failure: result, newKeyLeftMs }, settings.backoff);
    if (wait === undefined || wait >= watch.leftMs()) return result;
    await settings.sleep(wait, watch.signal);
    const ended = watch.ended();
    if (ended !== undefined) return noResponse(ended, attempts, { cause: watch.signal.reason });
  }
}

async function attempt({ request, settings, watch }: RunningCall, attempts: number): Promise<Result<unknown>> {
  const { authorize, clock, transport } = settings;
  const { answersText, body, headers, method, url } = request;
  const { signal } = watch;
  let isAuthorized = false;
  try {
    const authorization = await untilAborted(authorize(), signal);
    isAuthorized = true;
    const own = authorization === undefined ? headers : { ...headers, authorization };
    const answer = await transport({ method, url, headers: own, body }, signal);
    return toResult(answer, { answersText, attempts, now: clock() });
  } catch (cause) {
    const sent = isAuthorized ? attempts : attempts - 1;
    if (cause instanceof ResponseTooLarge) return noResponse("badAnswer", sent, cause);
    return noResponse(watch.ended() ?? (isAuthorized ? "network" : "credential"), sent, { cause });
  }
}

/** The deadline of a call, and the signal that may end it. */
interface Watch {
  /** Aborted at the deadline, or by the caller. */
  readonly signal: AbortSignal;
  readonly ended: () => "timeout" | "aborted" | undefined;
  readonly leftMs: () => number;
  readonly stop: () => void;
}

function startWatch({ clock, signal: ofClient }: ClientSettings, timeoutMs: number, ofCall: AbortSignal | undefined): Watch {
  const controller = new AbortController();
  const signals = [ofClient, ofCall].filter((signal) => signal !== undefined);
  let ended: ReturnType<Watch["ended"]>;
  const end = (kind: "timeout" | "aborted", reason: unknown): void => {
    ended ??= kind;
    controller.abort(reason);
  };
  const abort = (): void => end("aborted", signals.find(({ aborted }) => aborted)?.reason);
  const deadline = clock() + timeoutMs;
  const timer = setTimeout(() => end("timeout", new DOMException("The time of the call was over.", "TimeoutError")), timeoutMs);
  for (const signal of signals) signal.addEventListener("abort", abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  const stop = (): void => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, ended: () => ended, leftMs: () => deadline - clock(), stop };
}
