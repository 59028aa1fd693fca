import { Injectable } from '@nestjs/common';
import {
  OutboundFailure,
  type OutboundBytes,
  RandomSource,
  sha256,
  SystemClock,
} from '../../platform/index.js';
import type { CallNames } from '../../lenders/index.js';
import type { Lender, RemoteLender } from '../../settings/index.js';
import { LenderKeys } from '../keys/lender-keys.js';
import { OwnKeys } from '../keys/own-keys.js';
import {
  type PostedQuestionName,
  QUESTIONS,
  type QuestionName,
  type VerdictOf,
} from '../protocol/questions.js';
import { PROTOCOL } from '../protocol/transport.js';
import {
  SignatureRefused,
  type SignedRequest,
  signRequest,
  verifyAnswer,
} from '../signing/message-signatures.js';
import type { Urgency } from './call-limits.js';
import { type LenderAnswered, readAnswer, refuseOversize, waitAskedFor } from './lender-answer.js';
import { LenderCallFailed, LenderCallMetrics } from './lender-call-metrics.js';
import { LenderHttp } from './lender-http.js';
import { LenderLanes } from './lender-lanes.js';
import { SignatureAlarm } from './signature-alarm.js';

/** One byte above the limit, to detect longer responses. */
const READ_BYTES = PROTOCOL.maxBodyBytes + 1;
const CALL_MS = PROTOCOL.callSeconds * 1_000;
const ELIGIBILITY_MS = PROTOCOL.eligibilitySeconds * 1_000;
/** The worker retries all other questions. */
const CALLER_WAITS_FOR: ReadonlySet<QuestionName> = new Set([
  'QUOTES',
  'SELECTIONS',
  'SESSIONS',
  'ACCOUNTS',
]);

interface PostedQuestion {
  readonly questionId: string;
  readonly subjectId: string;
  /** @throws LenderCallFailed invalid_question */
  readonly body: () => Promise<string>;
  /** Receives the call's `traceparent`. */
  readonly names?: CallNames;
}

interface Call {
  readonly request: SignedRequest;
  /** `Idempotency-Key`; absent without a body. */
  readonly questionId?: string;
  readonly traceparent: string;
}

function urgencyOf(name: QuestionName): Urgency {
  if (name === 'ELIGIBILITIES') return 'SOFT';
  return CALLER_WAITS_FOR.has(name) ? 'WAITED_FOR' : 'QUEUED';
}

@Injectable()
export class LenderClient {
  constructor(
    private readonly http: LenderHttp,
    private readonly ownKeys: OwnKeys,
    private readonly lenderKeys: LenderKeys,
    private readonly lanes: LenderLanes,
    private readonly metrics: LenderCallMetrics,
    private readonly alarm: SignatureAlarm,
    private readonly clock: SystemClock,
    private readonly random: RandomSource,
  ) {}

  /** @throws LenderCallFailed unless there is a verdict or it is pending */
  ask<Name extends PostedQuestionName>(
    lender: Lender,
    name: Name,
    { questionId, subjectId, body, names }: PostedQuestion,
  ): Promise<LenderAnswered<VerdictOf<Name>>> {
    return this.counted(lender, name, async (remote) => {
      const { method, path } = QUESTIONS[name];
      const bytes = Buffer.from(await body());
      const traceparent = this.traceparentOf(subjectId);
      if (names) names.traceparent = traceparent;
      return {
        request: { method, address: `${remote.address}${path}`, body: bytes },
        questionId,
        traceparent,
      };
    });
  }

  /** @throws LenderCallFailed unless there is a verdict or it is pending */
  askLoan(lender: Lender, loanReference: string): Promise<LenderAnswered<VerdictOf<'LOANS'>>> {
    return this.counted(lender, 'LOANS', (remote) => ({
      request: {
        method: 'GET',
        address: `${remote.address}/loans/${encodeURIComponent(loanReference)}`,
        body: Buffer.alloc(0),
      },
      traceparent: this.traceparentOf(loanReference),
    }));
  }

  private async counted<Name extends QuestionName>(
    lender: Lender,
    name: Name,
    prepare: (remote: RemoteLender) => Call | Promise<Call>,
  ): Promise<LenderAnswered<VerdictOf<Name>>> {
    const labels = { lender: lender.code, call: name };
    try {
      const { remote } = lender;
      if (!remote) throw new LenderCallFailed('invalid_question', 'the lender has no address');
      const answered = await this.lanes.run(lender, remote.limits, urgencyOf(name), () =>
        // Built only once the call may start: thousands of questions can wait for a suspended lender.
        this.exchange<VerdictOf<Name>>(lender, name, () => prepare(remote)),
      );
      this.metrics.calls.inc({ ...labels, outcome: answered.kind.toLowerCase() });
      return answered;
    } catch (error) {
      const outcome = error instanceof LenderCallFailed ? error.failure : 'internal_error';
      this.metrics.calls.inc({ ...labels, outcome });
      if (error instanceof LenderCallFailed) error.isSuspended = this.lanes.isOpen(lender.code);
      throw error;
    }
  }

  private async exchange<Verdict>(
    lender: Lender,
    name: QuestionName,
    prepare: () => Call | Promise<Call>,
  ): Promise<LenderAnswered<Verdict>> {
    const observe = this.metrics.seconds.startTimer({ lender: lender.code, call: name });
    try {
      const call = await prepare();
      const id = this.random.bytes(16).toString('hex');
      const callMs = name === 'ELIGIBILITIES' ? ELIGIBILITY_MS : CALL_MS;
      const answer = await this.send(lender, call, id, callMs);
      refuseOversize(answer);
      const isSigned = await this.checkSignature(lender, call, id, answer);
      return readAnswer<Verdict>(QUESTIONS[name].verdict, answer, isSigned);
    } finally {
      observe();
    }
  }

  private async send(
    lender: Lender,
    call: Call,
    id: string,
    callMs: number,
  ): Promise<OutboundBytes> {
    const { request } = call;
    const startedAt = performance.now();
    const key = await this.ownKeys.signing();
    const signature = await signRequest(request, { key, now: this.clock.epochSeconds(), id });
    const headers = this.headersOf(call, signature);
    const limits = {
      headers,
      deadlineMs: callMs - (performance.now() - startedAt),
      maxResponseBytes: READ_BYTES,
    };
    const client = this.http.clientOf(lender);
    try {
      return request.method === 'GET'
        ? await client.get(request.address, limits)
        : await client.post(request.address, { ...limits, body: Buffer.from(request.body) });
    } catch (error) {
      throw unanswered(error);
    }
  }

  private traceparentOf(subjectId: string): string {
    const span = this.random.bytes(8).toString('hex');
    return `00-${sha256(subjectId).slice(0, 32)}-${span}-01`;
  }

  private headersOf({ request, questionId, traceparent }: Call, signature: string) {
    const { headers, version } = PROTOCOL;
    return {
      accept: 'application/json',
      // A compressed body could exceed the limit when unpacked.
      'accept-encoding': 'identity',
      [headers.version]: version,
      [headers.traceParent]: traceparent,
      [headers.signature]: signature,
      ...(questionId !== undefined && { [headers.idempotencyKey]: questionId }),
      ...(request.method === 'POST' && { 'content-type': 'application/json' }),
    };
  }

  /**
   * @returns false for an unsigned error, perhaps a balancer's
   * @throws LenderCallFailed when the signature is wrong, or a verdict has none
   */
  private async checkSignature(
    lender: Lender,
    { request }: Call,
    requestId: string,
    { status, headers, body }: OutboundBytes,
  ): Promise<boolean> {
    const signature = headers[PROTOCOL.headers.signature];
    if (signature === undefined && status >= 400) return false;
    try {
      const answer = { status, address: request.address, requestId, body };
      const now = this.clock.epochSeconds();
      // Node joins repeated headers, which gives an invalid signature.
      const given = signature === undefined ? undefined : String(signature);
      await this.lenderKeys.check(lender, (findKey) =>
        verifyAnswer(given, answer, { findKey, now }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof SignatureRefused)) throw error;
      // A gateway that fails before reading the request cannot name it.
      if (error.problem === 'NO_REQUEST' && status >= 400) return false;
      this.alarm.refused(lender.code, 'answer', error.problem);
      const { message } = error;
      const askAgainInMs = waitAskedFor({ status, headers }, false);
      throw new LenderCallFailed('signature_refused', `${message} (answer ${status})`, {
        status,
        askAgainInMs,
        cause: error,
      });
    }
  }
}

function unanswered(error: unknown): LenderCallFailed {
  if (!(error instanceof OutboundFailure)) {
    return new LenderCallFailed('unreachable', 'the call failed', { cause: error });
  }
  const { reason, status, message } = error;
  const failure =
    reason === 'TIMEOUT' ? 'timeout' : reason === 'REDIRECT' ? 'redirect' : 'unreachable';
  return new LenderCallFailed(failure, `no answer: ${named(reason, message)}`, {
    status,
    cause: error,
  });
}

function named(reason: string, message: string): string {
  return message === reason ? reason : `${reason}, ${message}`;
}
