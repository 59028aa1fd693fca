import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnsweredRequest, AnswerSender } from './answer-sender.ts';
import type { Books } from './books.ts';
import type { Fault, FaultSwitch } from './faults.ts';
import { readBody } from './http.ts';
import { ProtocolError } from './protocol-error.ts';
import { type Lender, QUESTIONS, type QuestionPath } from './question.ts';
import type { Answer, Delay, QuestionDesk } from './question-desk.ts';
import { describeLoan } from './questions/endings.ts';
import { type RequestCheck, single } from './request-check.ts';

export interface ProtocolParts {
  readonly check: RequestCheck;
  readonly desk: QuestionDesk;
  readonly books: Books;
  readonly faults: FaultSwitch;
  readonly sender: AnswerSender;
}

const LOAN = /^loans\/([A-Za-z0-9][A-Za-z0-9._:-]{0,99})$/;
const VERSION = '1';

/** The questions; each request is authenticated first. */
export class ProtocolRoutes {
  readonly #parts: ProtocolParts;

  constructor(parts: ProtocolParts) {
    this.#parts = parts;
  }

  /** @param call the path below the lender's base address */
  async serve(
    lender: Lender,
    call: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { faults, sender } = this.#parts;
    const message = LOAN.test(call) ? 'loans' : call;
    const url = `${lender.url}/${call}`;
    let answered: AnsweredRequest = { lender: lender.code, url, jti: null };
    let fault: Fault | null = null;
    let answer: Answer;
    try {
      const body = await readBody(request);
      const method = request.method ?? '';
      const { headers } = request;
      const signed = { lender: lender.code, method, url, headers, body };
      answered = { ...answered, jti: await this.#parts.check.verify(signed) };
      fault = faults.take(lender.code, message);
      answer = await this.#answer(lender, call, request, body, fault);
    } catch (error) {
      const known = error instanceof ProtocolError ? error : internalError(error, message);
      if (known.status === 413) response.setHeader('connection', 'close');
      if (known.retryAfterSeconds) response.setHeader('retry-after', known.retryAfterSeconds);
      answer = { status: known.status, body: JSON.stringify(known.body) };
    }
    await sender.send(response, answered, answer, fault);
    const key = single(request.headers['idempotency-key']);
    if (fault?.kind === 'twice' && key) this.#parts.desk.tellAgain(lender, key, 2);
  }

  async #answer(
    lender: Lender,
    call: string,
    request: IncomingMessage,
    body: Buffer,
    fault: Fault | null,
  ): Promise<Answer> {
    if (single(request.headers['rlp-version']) !== VERSION) {
      throw new ProtocolError(400, 'version_not_supported', 'RLP-Version must be 1.');
    }
    if (fault?.kind === 'unavailable') {
      throw new ProtocolError(503, 'unavailable', 'Try again later.', fault.seconds || undefined);
    }
    if (fault?.kind === 'too-many-requests') {
      throw new ProtocolError(429, 'too_many_requests', 'Too fast.', fault.seconds);
    }
    if (fault?.kind === 'error') throw new ProtocolError(500, 'internal_error', 'It failed.');
    const { books, desk } = this.#parts;
    const loan = LOAN.exec(call)?.[1];
    if (loan !== undefined && request.method === 'GET') {
      return { status: 200, body: JSON.stringify(describeLoan(books, lender, loan)) };
    }
    if (!Object.hasOwn(QUESTIONS, call) || request.method !== 'POST') {
      throw new ProtocolError(404, 'not_found', 'There is no such path.');
    }
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      throw new ProtocolError(415, 'unsupported_media_type', 'The body must be application/json.');
    }
    const key = single(request.headers['idempotency-key']);
    return desk.answer(lender, call as QuestionPath, key, body, delayOf(fault));
  }
}

function delayOf(fault: Fault | null): Delay | null {
  if (!fault) return null;
  const { kind, seconds } = fault;
  if (kind !== 'late' && kind !== 'late-poll' && kind !== 'out-of-order') return null;
  return { seconds, isTold: kind !== 'late-poll', isOvertaken: kind === 'out-of-order' };
}

/** Logged without the request's content. */
function internalError(error: unknown, message: string): ProtocolError {
  console.error(`${message} failed: ${error instanceof Error ? error.stack : 'unknown'}`);
  return new ProtocolError(500, 'internal_error', 'Internal error.');
}
