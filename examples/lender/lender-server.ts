import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Books } from './books.ts';
import { pathOf, readBody, sendJson } from './http.ts';
import type { LenderKeys } from './lender-keys.ts';
import { REDIRECT_STEPS } from './lender-terms.ts';
import type { ProtocolRoutes } from './protocol-routes.ts';
import type { Lender } from './question.ts';
import type { Settings } from './settings.ts';
import { isOver, type Page, PAGE_HEADERS, unknownPage, visitPage } from './visit-page.ts';

const DECISIONS = ['approve', 'decline', 'leave'] as const;
const REQUEST_TIMEOUT_MS = 30_000;

export interface ServerParts {
  readonly lenders: ReadonlyMap<string, Lender>;
  readonly keys: LenderKeys;
  readonly books: Books;
  readonly protocol: ProtocolRoutes;
}

/** The public server: each lender's questions, public keys and pages, below its own path. */
export function lenderServer(settings: Settings, parts: ServerParts): Server {
  const listener: RequestListener = (request, response) => {
    serve(parts, mayAsk(settings, request), request, response).catch((error: unknown) => {
      console.error(error instanceof Error ? error.stack : 'a request failed');
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };
  const { tls } = settings;
  const server = tls ? createHttpsServer(tlsOptions(tls), listener) : createHttpServer(listener);
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  return server;
}

function tlsOptions({ certificate, key, clientAuthority }: NonNullable<Settings['tls']>) {
  return {
    cert: readFileSync(certificate),
    key: readFileSync(key),
    ...(clientAuthority && { ca: readFileSync(clientAuthority), requestCert: true }),
    // Applicants' browsers have no certificate, so only questions require one.
    rejectUnauthorized: false,
  };
}

/** Whether the caller presented the required certificate, if one is required. */
function mayAsk({ tls }: Settings, { socket }: IncomingMessage): boolean {
  return !tls?.clientAuthority || (socket as TLSSocket).authorized;
}

async function serve(
  parts: ServerParts,
  isAllowed: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, code = '', first = '', ...rest] = pathOf(request).split('/');
  const lender = parts.lenders.get(code);
  if (!lender) {
    sendJson(response, 404, { error: { code: 'not_found', message: 'There is no such lender.' } });
    return;
  }
  if (first === 'jwks.json' && request.method === 'GET') {
    sendJson(response, 200, parts.keys.jwks(lender.code));
    return;
  }
  if (first === 'visits') {
    await serveVisit(parts.books, lender, rest.join('/'), request, response);
    return;
  }
  if (!isAllowed) {
    const message = 'Questions need a client certificate.';
    sendJson(response, 403, { error: { code: 'client_certificate_needed', message } });
    return;
  }
  await parts.protocol.serve(lender, [first, ...rest].join('/'), request, response);
}

async function serveVisit(
  books: Books,
  lender: Lender,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const session = books.sessions.byToken(lender.code, token);
  if (!session || (request.method !== 'GET' && request.method !== 'POST')) {
    sendPage(response, unknownPage(lender));
    return;
  }
  if (request.method === 'GET') {
    sendPage(response, visitPage(books, lender, session));
    return;
  }
  const form = new URLSearchParams((await readBody(request)).toString('utf8'));
  const decision = DECISIONS.find((one) => one === form.get('decision'));
  const step = REDIRECT_STEPS.find((one) => one === form.get('step'));
  const isOpen = !isOver(books, lender, session);
  // A second press, or an outdated page, counts only for the displayed step.
  const counts = isOpen && step !== undefined && books.sessions.nextStep(session) === step;
  if (counts && (decision === 'approve' || decision === 'decline')) {
    books.sessions.decide(session, step, decision);
  }
  const goesOn = decision === 'approve' && books.sessions.nextStep(session) !== null;
  response.writeHead(303, { location: goesOn ? pathOf(request) : session.returnUrl }).end();
}

function sendPage(response: ServerResponse, { status, html }: Page): void {
  response.writeHead(status, { ...PAGE_HEADERS, 'content-length': Buffer.byteLength(html) });
  response.end(html);
}
