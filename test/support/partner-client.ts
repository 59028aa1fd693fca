import type {
  Journey as ContractJourney,
  NextAction,
  Offer as ContractOffer,
} from '../../clients/node/src/operations.ts';
import { createHmac, randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { type KeyCredentials, sandboxCredentials } from './sandbox-credentials.ts';

export const PARTNER_PREFIX = '/api/v1/partner';

export interface Envelope<Data> {
  success: boolean;
  data: Data;
  error: string;
  code: string;
  details: { field: string; message: string }[];
  hint?: string;
  requestId?: string;
  docs?: string;
}

export interface Answer<Data = Record<string, unknown>> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly json: Envelope<Data>;
}

export type { NextAction };

/** The rate is fixed, as for all sandbox offers. */
export type Offer = ContractOffer & { readonly lastEmiAmount: number };

export interface Journey extends Omit<ContractJourney, 'offers' | 'selectedOffer'> {
  readonly offers: Offer[];
  readonly selectedOffer: (NonNullable<ContractJourney['selectedOffer']> & Offer) | null;
}

export interface Initiated {
  journeyId: string;
  applicationId: string;
  nextAction: NextAction;
  journeySession: string;
  hostedUrl: string;
}

export interface Overrides {
  apiKey?: string;
  apiSecret?: string;
  timestamp?: string;
  nonce?: string;
  signature?: string;
  signedMethod?: string;
  signedTarget?: string;
  signedBody?: string | Buffer;
}

export interface CallOptions {
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  /** Set last, so they override every header of the client; null removes a header. */
  headers?: Record<string, string | string[] | null>;
  session?: string;
  overrides?: Overrides;
  bearer?: boolean;
}

interface ClientOptions extends KeyCredentials {
  baseUrl: string;
  now?: () => Date;
}

/** hex(HMAC-SHA256(secret, METHOD \n TARGET \n TIMESTAMP \n NONCE \n BODY)), decisions §2. */
export function sign(
  secret: string,
  parts: {
    method: string;
    target: string;
    timestamp: string;
    nonce: string;
    body: string | Buffer;
  },
): string {
  const head = [parts.method, parts.target, parts.timestamp, parts.nonce, ''].join('\n');
  return createHmac('sha256', Buffer.from(secret, 'utf8'))
    .update(head, 'utf8')
    .update(parts.body)
    .digest('hex');
}

/** A partner that signs as decisions §2 requires, and can be made to do any part wrong. */
export class PartnerClient {
  /** Sees every answer; what it throws fails the call. Tests check each against the document. */
  static onAnswer?: (method: string, target: string, answer: Answer) => Promise<void>;

  private readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  async request<Data = Record<string, unknown>>(
    method: string,
    target: string,
    options: CallOptions = {},
  ): Promise<Answer<Data>> {
    const body = bytesOf(options.body);
    const headers = this.headers(method, target, body, options);
    const answer = await send(this.options.baseUrl, method, target, headers, body);
    await PartnerClient.onAnswer?.(method, target, answer);
    return answer as Answer<Data>;
  }

  call<Data = Record<string, unknown>>(
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<Answer<Data>> {
    return this.request<Data>(method, PARTNER_PREFIX + path, options);
  }

  get<Data = Record<string, unknown>>(path: string, options?: CallOptions): Promise<Answer<Data>> {
    return this.call<Data>('GET', path, options);
  }

  post<Data = Record<string, unknown>>(
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer<Data>> {
    return this.call<Data>('POST', path, { ...options, body });
  }

  delete<Data = Record<string, unknown>>(
    path: string,
    options?: CallOptions,
  ): Promise<Answer<Data>> {
    return this.call<Data>('DELETE', path, options);
  }

  initiate(body: unknown, options?: CallOptions): Promise<Answer<Initiated>> {
    return this.post<Initiated>('/journey/initiate', body, options);
  }

  journey(journeyId: string, session?: string, options?: CallOptions): Promise<Answer<Journey>> {
    return this.get<Journey>(`/journey/${journeyId}`, { ...options, session });
  }

  action(
    journeyId: string,
    session: string | undefined,
    kind: string,
    payload: object,
    options?: CallOptions,
  ): Promise<Answer<{ nextAction: NextAction }>> {
    return this.post(`/journey/${journeyId}/action`, { kind, payload }, { ...options, session });
  }

  returned(
    journeyId: string,
    session: string | undefined,
    step: string,
    options?: CallOptions,
  ): Promise<Answer<{ nextAction: NextAction }>> {
    return this.post(`/journey/${journeyId}/redirect-returned`, { step }, { ...options, session });
  }

  private headers(
    method: string,
    target: string,
    body: Buffer | undefined,
    { headers = {}, overrides = {}, session, bearer }: CallOptions,
  ): [string, string][] {
    const timestamp = overrides.timestamp ?? this.timestamp();
    const nonce = overrides.nonce ?? randomUUID();
    const apiKey = overrides.apiKey ?? this.options.apiKey;
    const signed = {
      method: overrides.signedMethod ?? method.toUpperCase(),
      target: overrides.signedTarget ?? target,
      timestamp,
      nonce,
      body: overrides.signedBody ?? body ?? '',
    };
    const made: Record<string, string | string[] | null> = {
      host: new URL(this.options.baseUrl).host,
      ...(bearer ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey }),
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature':
        overrides.signature ?? sign(overrides.apiSecret ?? this.options.apiSecret, signed),
      ...(body && { 'content-type': 'application/json' }),
      ...((body || method === 'POST') && { 'content-length': String(body?.length ?? 0) }),
      ...(session !== undefined && { 'x-journey-session': session }),
    };
    for (const [name, value] of Object.entries(headers)) made[name.toLowerCase()] = value;
    return Object.entries(made).flatMap(([name, value]) =>
      value === null ? [] : [value].flat().map((one): [string, string] => [name, one]),
    );
  }

  private timestamp(): string {
    const now = this.options.now?.() ?? new Date();
    return String(Math.floor(now.getTime() / 1000));
  }
}

/**
 * A client on the machine's clock, which signatures use. By default it belongs to the file's own partner of a shared
 * service, or to the demonstration's. The limits of its key are too high to be reached by accident.
 */
export function partnerClient(
  { baseUrl, credentials }: { baseUrl: string; credentials?: KeyCredentials },
  { partner, key }: { partner?: string; key?: string } = {},
): PartnerClient {
  const isNamed = partner !== undefined || key !== undefined;
  if (credentials && !isNamed) return new PartnerClient({ ...credentials, baseUrl });
  const name = key ?? (isDemo(partner) ? 'demo-load' : undefined);
  return new PartnerClient({ ...sandboxCredentials(partner ?? 'demo', name), baseUrl });
}

function isDemo(partner: string | undefined): boolean {
  return partner === undefined || partner === 'demo';
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}

function send(
  baseUrl: string,
  method: string,
  target: string,
  headers: [string, string][],
  body: Buffer | undefined,
): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        method,
        path: target,
        // A new connection per call, for tests that restart the service.
        agent: false,
        // As a flat list headers are sent unchanged, repeated names included.
        headers: headers.flat(),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            body: bytes,
            json: jsonOf(bytes),
          });
        });
      },
    );
    request.on('error', reject);
    request.setTimeout(30_000, () => request.destroy(new Error(`${method} ${target}: no answer`)));
    request.end(body);
  });
}

function jsonOf(bytes: Buffer): Answer['json'] {
  try {
    return JSON.parse(bytes.toString('utf8')) as Answer['json'];
  } catch {
    return {} as Answer['json'];
  }
}
