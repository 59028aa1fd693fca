import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FaultSwitch } from './faults.ts';
import { FAULT_KINDS } from './faults.ts';
import { FieldReader, isFields } from './fields.ts';
import type { BookView } from './book-view.ts';
import { pathOf, readBody, sendJson } from './http.ts';
import type { LenderKeys } from './lender-keys.ts';
import { MESSAGE_PATHS } from './message-box.ts';
import type { Messenger } from './messenger.ts';
import type { Notices } from './notices.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Lender } from './question.ts';

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

export interface AdminParts {
  readonly lenders: ReadonlyMap<string, Lender>;
  readonly books: BookView;
  readonly faults: FaultSwitch;
  readonly keys: LenderKeys;
  readonly notices: Notices;
  /** Null when no answers are sent. */
  readonly messenger: Messenger | null;
}

/** For the lender's own operator, only on this machine: it has no other protection. */
export function adminServer(parts: AdminParts): Server {
  return createServer((request, response) => {
    answer(parts, request)
      .then((body) => sendJson(response, 200, body))
      .catch((error: unknown) => refuse(response, error));
  });
}

function refuse(response: ServerResponse, error: unknown): void {
  if (error instanceof ProtocolError) sendJson(response, error.status, error.body);
  else {
    const message = error instanceof Error ? error.message : 'It failed.';
    sendJson(response, 500, { error: { code: 'internal_error', message } });
  }
}

async function answer(parts: AdminParts, request: IncomingMessage): Promise<unknown> {
  // Prevents DNS rebinding: a web page could otherwise reach this port.
  if (!LOCAL_HOST.test(request.headers.host ?? '')) throw notFound();
  const call = `${request.method ?? ''} ${pathOf(request)}`;
  if (call === 'GET /books') return parts.books.read();
  if (call === 'GET /faults') return parts.faults.list();
  if (call === 'DELETE /faults') {
    parts.faults.clear();
    return { faults: [] };
  }
  if (request.method !== 'POST') throw notFound();
  // Browsers send cross-site JSON only after a preflight, which gets no answer.
  if (request.headers['content-type'] !== 'application/json') throw notFound();
  const body = readFields((await readBody(request)).toString('utf8'));
  return change(parts, call, body);
}

async function change(parts: AdminParts, call: string, body: FieldReader): Promise<unknown> {
  if (call === 'POST /faults') return orderFault(parts, body);
  const lender = parts.lenders.get(body.text('lender'));
  if (!lender) throw new ProtocolError(404, 'not_found', 'There is no such lender.');
  switch (call) {
    case 'POST /keys':
      return { kid: await parts.keys.change(lender) };
    case 'POST /loan-events':
      return parts.notices.loanEvent(lender, body);
    case 'POST /offer-revisions':
      return parts.notices.offerRevision(lender, body);
    case 'POST /statements':
      return parts.notices.statement(lender, body.text('day', /^\d{4}-\d\d-\d\d$/));
    case 'POST /messages':
      return tell(parts, lender, body);
    default:
      throw notFound();
  }
}

function orderFault({ faults, lenders }: AdminParts, body: FieldReader): unknown {
  faults.order({
    lender: body.oneOf('lender', ['*', ...lenders.keys()]),
    message: body.text('message', /^([a-z-]{1,40}|\*)$/),
    kind: body.oneOf('kind', FAULT_KINDS),
    times: body.fields['times'] === null ? null : body.has('times') ? body.count('times') : 1,
    seconds: body.has('seconds') ? body.count('seconds') : null,
  });
  return { faults: faults.list() };
}

/** Sends any message, signed by the lender, as a hostile lender would. */
async function tell({ messenger }: AdminParts, lender: Lender, body: FieldReader) {
  if (!messenger) throw new ProtocolError(409, 'nobody_to_tell', 'RINPATH_ANSWERS is off.');
  const path = body.oneOf('message', MESSAGE_PATHS);
  const id = body.text('id');
  return messenger.send({ lender: lender.code, path, id, body: body.object('body').json() }, null);
}

function readFields(text: string): FieldReader {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProtocolError(400, 'invalid_request', 'The body is not JSON.');
  }
  if (!isFields(value)) throw new ProtocolError(400, 'invalid_request', 'It must be an object.');
  return new FieldReader(value);
}

function notFound(): ProtocolError {
  return new ProtocolError(404, 'not_found', 'There is no such path.');
}
