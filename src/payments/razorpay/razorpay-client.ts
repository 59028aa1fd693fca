import Razorpay from 'razorpay';
import { maskPersonalData } from '../../platform/index.js';
import { GatewayRefused, PaymentsUnavailable } from '../payment-gateway.js';
import { fieldsOf, integerOf, textOf } from './razorpay-fields.js';
import type { RazorpaySettings } from '../../settings/index.js';

const DEADLINE_MS = 10_000;
const MAX_ANSWER_BYTES = 1_000_000;
const DESCRIPTION_LENGTH = 200;
const NUMBERS = /\p{Nd}{6,}/gu;
const REFUND = /^\/v1\/payments\/[^/]+\/refund$/;
// A client error that another try may mend: slow down, try again; 409: the same refund is being made.
const PASSING_CLIENT_ERRORS = new Set([408, 409, 425, 429]);

// About the key or the account, and not about what was asked for.
const ACCOUNT_ERRORS = new Set([401, 403]);

/** A call as it leaves the SDK. */
interface SdkRequest {
  readonly url: string;
  readonly data?: unknown;
  readonly headers: { set(name: string, value: string): void };
}

/** As much of the SDK's HTTP client (an axios instance that it does not declare) as is set here. */
interface SdkTransport {
  readonly defaults: {
    baseURL?: string;
    timeout?: number;
    maxRedirects?: number;
    maxContentLength?: number;
  };
  readonly interceptors: {
    readonly request: { use(onRequest: (config: SdkRequest) => object): void };
    readonly response: {
      use(onAnswer: undefined, onError: (error: unknown) => Promise<never>): void;
    };
  };
}

/** Razorpay's own SDK with what it lacks: a deadline, and errors that say what went wrong. */
export function razorpayClient(settings: RazorpaySettings): Razorpay {
  const client = new Razorpay({ key_id: settings.keyId, key_secret: settings.keySecret });
  const { rq } = client.api as unknown as { rq: SdkTransport };
  if (settings.apiBaseUrl !== undefined) rq.defaults.baseURL = settings.apiBaseUrl;
  rq.defaults.timeout = DEADLINE_MS;
  rq.defaults.maxRedirects = 0;
  rq.defaults.maxContentLength = MAX_ANSWER_BYTES;
  // The time-out above watches over silence alone; this one over the whole of a call.
  rq.interceptors.request.use((config) => {
    setIdempotencyKey(config);
    return { ...config, signal: AbortSignal.timeout(DEADLINE_MS) };
  });
  rq.interceptors.response.use(undefined, (error) => Promise.reject(readable(error)));
  return client;
}

/**
 * A refund that is asked for again is the same one
 * (https://razorpay.com/docs/api/refunds/normal-refunds-idempotent). The SDK has no way to say so.
 */
function setIdempotencyKey({ url, data, headers }: SdkRequest): void {
  const key = REFUND.test(url) ? textOf(fieldsOf(data).receipt) : null;
  if (key !== null) headers.set('X-Refund-Idempotency', key);
}

/** The SDK reads `response.data.error` of every failure, and falls over one that has no answer. */
function readable(error: unknown): object {
  const { response, code } = fieldsOf(error);
  const { status, data } = fieldsOf(response);
  const told = fieldsOf(data).error ?? { code };
  return { response: { status: integerOf(status) ?? 0, data: { error: told } } };
}

/**
 * Makes a call of the SDK; what comes back is read by whoever asked.
 * @param Refusal what an answer of 4xx that no repetition mends is, when it is about this very call
 * @throws GatewayRefused for such an answer
 * @throws PaymentsUnavailable for everything else
 */
export async function callRazorpay(
  call: () => Promise<unknown>,
  Refusal: typeof GatewayRefused = GatewayRefused,
): Promise<unknown> {
  try {
    return await call();
  } catch (failure) {
    throw asPaymentFailure(failure, Refusal);
  }
}

function asPaymentFailure(failure: unknown, Refusal: typeof GatewayRefused): PaymentsUnavailable {
  const { statusCode, error } = fieldsOf(failure);
  const status = integerOf(statusCode);
  if (status === null) return new PaymentsUnavailable('the call failed', { cause: failure });
  const { code, description } = fieldsOf(error);
  const told = [textOf(code), textOf(description)].filter((part) => part !== null).join(': ');
  // Razorpay's texts repeat what they refuse: numbers that are too short, too.
  const masked = maskPersonalData(told).replaceAll(NUMBERS, '…').slice(0, DESCRIPTION_LENGTH);
  const message = `${status === 0 ? 'no answer' : status} ${masked}`.trim();
  const isRefusal = status >= 400 && status < 500 && !PASSING_CLIENT_ERRORS.has(status);
  if (!isRefusal) return new PaymentsUnavailable(message);
  return ACCOUNT_ERRORS.has(status) ? new GatewayRefused(message) : new Refusal(message);
}
