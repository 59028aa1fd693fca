import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  PROTOCOL,
  type PublicJwk,
  publicJwkOf,
  signAnswer,
  signingKey,
  type SigningKey,
  verificationKey,
  verifyRequest,
} from '../../src/lender-api/index.js';

export interface GotQuestion {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly id: string;
  readonly refused?: string;
}

export interface GivenAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The signature is made with another key. */
  readonly signedAs?: { key: SigningKey };
  /** The signature names no request. */
  readonly isUnbound?: boolean;
  readonly isUnsigned?: boolean;
  readonly write?: (response: ServerResponse) => void;
}

export type Answering = (question: GotQuestion) => GivenAnswer | Promise<GivenAnswer>;

export interface SmallLender {
  readonly address: string;
  readonly key: SigningKey;
  readonly jwk: PublicJwk;
  readonly questions: GotQuestion[];
  answer(answering: Answering): void;
  close(): Promise<void>;
}

/** A key pair with a key id. */
export function testKey(kid: string, algorithm: 'EdDSA' | 'ES256' = 'ES256'): SigningKey {
  const { privateKey } =
    algorithm === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return signingKey(kid, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
}

interface SmallLenderOptions {
  readonly jwksOf: () => string | undefined;
}

export async function startSmallLender(options: SmallLenderOptions): Promise<SmallLender> {
  const key = testKey('small-1');
  const questions: GotQuestion[] = [];
  let answering: Answering = () => ({ status: 503, body: errorBody('unavailable') });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/jwks.json') {
      response.end(JSON.stringify({ keys: [publicJwkOf(key)] }));
      return;
    }
    const question = await read(request, `${address}${request.url?.slice('/rlp'.length)}`, options);
    questions.push(question);
    await give(response, question, await answering(question), { key, address });
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  };
  const server = createServer(listener);
  const address = await listen(server);
  return {
    address,
    key,
    jwk: publicJwkOf(key),
    questions,
    answer: (next) => {
      answering = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function errorBody(code: string): object {
  return { error: { code, message: 'As the test says.' } };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rlp`;
}

async function read(
  request: IncomingMessage,
  address: string,
  { jwksOf }: SmallLenderOptions,
): Promise<GotQuestion> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const text = body.toString('utf8');
  const known = {
    path: request.url!.slice('/rlp'.length),
    headers: request.headers,
    text,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
  try {
    const jwks = jwksOf();
    if (jwks === undefined) return { ...known, id: '', refused: 'no keys' };
    const { keys } = (await (await fetch(jwks)).json()) as { keys: { kid: string }[] };
    const header = await verifyRequest(
      request.headers[PROTOCOL.headers.signature] as string,
      { method: request.method as 'GET' | 'POST', address, body },
      {
        now: Math.floor(Date.now() / 1000),
        findKey: (kid) => {
          const found = keys.find((one) => one.kid === kid);
          return Promise.resolve(found ? verificationKey(found) : null);
        },
      },
    );
    return { ...known, id: header.jti };
  } catch (error) {
    return { ...known, id: '', refused: String(error) };
  }
}

async function give(
  response: ServerResponse,
  question: GotQuestion,
  { status = 200, body = {}, headers = {}, signedAs, isUnbound, isUnsigned, write }: GivenAnswer,
  { key, address }: { key: SigningKey; address: string },
): Promise<void> {
  if (write) {
    write(response);
    return;
  }
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const signature = await signAnswer(
    {
      status,
      address: `${address}${question.path}`,
      requestId: isUnbound ? (undefined as never) : question.id,
      body: bytes,
    },
    {
      key: signedAs?.key ?? key,
      now: Math.floor(Date.now() / 1000),
      id: `answer-${Math.random().toString(36).slice(2).padEnd(8, '0')}`,
    },
  );
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(!isUnsigned && { [PROTOCOL.headers.signature]: signature }),
    ...headers,
  });
  response.end(bytes);
}

/** An offer in the protocol's format. */
export const OFFER = {
  reference: 'OFFER-1',
  principal: 200_000_00,
  minimumAmount: 50_000_00,
  tenureMonths: 24,
  rate: { kind: 'FIXED', annualPercent: '14.5' },
  repayment: { kind: 'EMI', instalment: 9_650_00 },
  apr: '16.94',
  netPayout: 195_280_00,
  fees: [
    {
      name: 'Processing fee',
      payee: 'LENDER',
      amount: 4_720_00,
      gst: 720_00,
      percentOfPrincipal: '2',
      due: 'AT_PAYOUT',
    },
  ],
  // At least three working days, whenever the test runs.
  validUntil: new Date(Date.now() + 30 * 24 * 3_600_000).toISOString(),
};
