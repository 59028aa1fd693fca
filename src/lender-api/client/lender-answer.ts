import type { z } from 'zod';
import type { OutboundBytes } from '../../platform/index.js';
import { ErrorBody, Pending, PROTOCOL } from '../protocol/transport.js';
import { LenderCallFailed } from './lender-call-metrics.js';

export type LenderAnswered<Verdict> =
  | { readonly kind: 'VERDICT'; readonly verdict: Verdict }
  | {
      readonly kind: 'PENDING';
      readonly askAgainAfterSeconds: number;
      readonly waitingFor?: z.infer<typeof Pending>['waitingFor'];
    };

type Received = Pick<OutboundBytes, 'status' | 'headers' | 'body'>;

const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** Lower than for a signed response: a load balancer, not the lender, may have sent it. */
const MAX_UNSIGNED_WAIT_MS = 60_000;
const MAX_WAIT_MS = PROTOCOL.maxAskAgainSeconds * 1_000;

/** @throws LenderCallFailed too_large, compressed */
export function refuseOversize({ status, headers, body }: Received): void {
  if (body.length > PROTOCOL.maxBodyBytes) {
    throw new LenderCallFailed('too_large', 'the answer is longer than 256 KB', { status });
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new LenderCallFailed('compressed', 'the answer is compressed', { status });
  }
}

/** @throws LenderCallFailed unless it is a verdict or pending */
export function readAnswer<Verdict>(
  form: z.ZodType,
  answer: Received,
  isSigned: boolean,
): LenderAnswered<Verdict> {
  const { status } = answer;
  if (status === 200) return { kind: 'VERDICT', verdict: bodyOf(form, answer) as Verdict };
  if (status === 202) return { kind: 'PENDING', ...bodyOf(Pending, answer) };
  const askAgainInMs = waitAskedFor(answer, isSigned);
  const reason = isSigned ? errorIn(answer) : 'not signed for this request';
  if (askAgainInMs !== undefined) {
    throw new LenderCallFailed('asked_to_wait', `answered ${status}: ${reason}`, {
      status,
      askAgainInMs,
    });
  }
  // A signed rejection of one question affects no others.
  const isOfQuestion = isSigned && status >= 400 && status < 500 && status !== 401;
  const failure = isOfQuestion ? 'refused' : 'error_status';
  throw new LenderCallFailed(failure, `answered ${status}: ${reason}`, { status });
}

/** Milliseconds of `Retry-After`, on a 429 or 503. */
export function waitAskedFor(
  { status, headers }: Pick<Received, 'status' | 'headers'>,
  isSigned: boolean,
): number | undefined {
  const after = headers['retry-after'];
  if ((status !== 429 && status !== 503) || typeof after !== 'string') return undefined;
  const seconds = /^\d{1,7}$/.test(after) ? Number(after) : Number.NaN;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(seconds * 1_000, isSigned ? MAX_WAIT_MS : MAX_UNSIGNED_WAIT_MS);
}

function bodyOf<Form extends z.ZodType>(form: Form, answer: Received): z.infer<Form> {
  const { status } = answer;
  const read = form.safeParse(jsonOf(answer));
  if (read.success) return read.data;
  // The response may contain personal data.
  const places = read.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'the body');
  throw new LenderCallFailed(
    'invalid_answer',
    `the answer ${status} does not follow the protocol: ${places.join(', ')}`,
    { status },
  );
}

function jsonOf({ status, body }: Pick<Received, 'status' | 'body'>): unknown {
  try {
    return JSON.parse(UTF8.decode(body));
  } catch {
    throw new LenderCallFailed('invalid_answer', 'the answer is not JSON in UTF-8', { status });
  }
}

function errorIn(answer: Received): string {
  try {
    return ErrorBody.parse(jsonOf(answer)).error.code;
  } catch {
    return 'no code';
  }
}
