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
// 409: the same refund is in progress.
const RETRYABLE_CLIENT_ERRORS = new Set([408, 409, 425, 429]);

// About the key or the account, not the request.
const ACCOUNT_ERRORS = new Set([401, 403]);

interface SdkRequest {
  readonly url: string;
  readonly data?: unknown;
  readonly headers: { set(name: string, value: string): void };
}

/** The SDK does not declare its axios instance. */
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

export function razorpayClient(settings: RazorpaySettings): Razorpay {
  const client = new Razorpay({ key_id: settings.keyId, key_secret: settings.keySecret });
  const { rq } = client.api as unknown as { rq: SdkTransport };
  if (settings.apiBaseUrl !== undefined) rq.defaults.baseURL = settings.apiBaseUrl;
  rq.defaults.timeout = DEADLINE_MS;
  rq.defaults.maxRedirects = 0;
  rq.defaults.maxContentLength = MAX_ANSWER_BYTES;
  // `timeout` limits silence; this limits the whole call.
  rq.interceptors.request.use((config) => {
    setIdempotencyKey(config);
    return { ...config, signal: AbortSignal.timeout(DEADLINE_MS) };
  });
  rq.interceptors.response.use(undefined, (error) => Promise.reject(readable(error)));
  return client;
}

/**
 * https://razorpay.com/docs/api/refunds/normal-refunds-idempotent: the SDK has no parameter for it.
 */
function setIdempotencyKey({ url, data, headers }: SdkRequest): void {
  const key = REFUND.test(url) ? textOf(fieldsOf(data).receipt) : null;
  if (key !== null) headers.set('X-Refund-Idempotency', key);
}

/** The SDK crashes on a failure without a response. */
function readable(error: unknown): object {
  const { response, code } = fieldsOf(error);
  const { status, data } = fieldsOf(response);
  const details = fieldsOf(data).error ?? { code };
  return { response: { status: integerOf(status) ?? 0, data: { error: details } } };
}

/**
 * Does not validate the result.
 * @param Refusal thrown for a permanent 4xx about this call
 * @throws GatewayRefused for a permanent refusal
 * @throws PaymentsUnavailable for every other failure
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
  const text = [textOf(code), textOf(description)].filter((part) => part !== null).join(': ');
  // Razorpay's messages quote the refused values.
  const masked = maskPersonalData(text).replaceAll(NUMBERS, '…').slice(0, DESCRIPTION_LENGTH);
  const message = `${status === 0 ? 'no answer' : status} ${masked}`.trim();
  const isRefusal = status >= 400 && status < 500 && !RETRYABLE_CLIENT_ERRORS.has(status);
  if (!isRefusal) return new PaymentsUnavailable(message);
  return ACCOUNT_ERRORS.has(status) ? new GatewayRefused(message) : new Refusal(message);
}
