import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  type PublicJwk,
  publicJwkOf,
  signingKey,
  type SigningKey,
  signRequest,
  verificationKey,
  verifyAnswer,
} from '../../../src/lender-api/index.js';
import type { TestService } from '../../support/service.js';

/** How a call differs from a valid one. */
export interface Wrong {
  readonly key?: SigningKey;
  /** The `jti`. */
  readonly id?: string;
  readonly now?: number;
  /** The body that is signed instead of the sent one. */
  readonly signedBody?: string;
  readonly signedAddress?: string;
  readonly headers?: Record<string, string | undefined>;
}

export interface CallResponse {
  readonly status: number;
  readonly json: { id?: string; status?: string; error?: { code: string; message: string } };
  /** Whether the service signed the response for this very call. */
  readonly isSigned: boolean;
}

/** A signing key of a lender. */
export function newKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return signingKey(kid, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
}

/** A lender that calls the service as the lender protocol defines. */
export class SigningLender {
  readonly key: SigningKey;

  constructor(
    private readonly service: TestService,
    readonly code: string,
  ) {
    this.key = newKey(`${code}-1`);
  }

  /** The lender's section in the configuration. */
  get remote(): object {
    return {
      address: 'https://lender.example/rlp',
      keys: { kind: 'PINNED', keys: [publicJwkOf(this.key)] },
      limits: { callsPerSecond: 100, callsAtOnce: 100 },
      covers: null,
      certificate: null,
    };
  }

  /** @param body sent as JSON; a string is sent unchanged */
  async tell(call: string, body: object | string, wrong: Wrong = {}): Promise<CallResponse> {
    const address = `${this.service.baseUrl}/lender-api/v1/${this.code}/${call}`;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const id = wrong.id ?? randomUUID();
    const signature = await signRequest(
      {
        method: 'POST',
        address: wrong.signedAddress ?? address,
        body: Buffer.from(wrong.signedBody ?? text),
      },
      { key: wrong.key ?? this.key, now: wrong.now ?? Math.floor(Date.now() / 1_000), id },
    );
    const given: Record<string, string | undefined> = {
      'content-type': 'application/json',
      'rlp-version': '1',
      'idempotency-key': idOf(body),
      'x-jws-signature': signature,
      ...wrong.headers,
    };
    const headers = Object.fromEntries(
      Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const response = await fetch(address, { method: 'POST', headers, body: text });
    const bytes = Buffer.from(await response.arrayBuffer());
    const answer = { status: response.status, address, requestId: id, body: bytes };
    return {
      status: response.status,
      json: JSON.parse(bytes.toString('utf8')) as CallResponse['json'],
      isSigned: await this.isSigned(response.headers.get('x-jws-signature'), answer),
    };
  }

  private async isSigned(
    signature: string | null,
    answer: Parameters<typeof verifyAnswer>[1],
  ): Promise<boolean> {
    if (signature === null) return false;
    const jwks = await fetch(`${this.service.baseUrl}/.well-known/rlp-jwks.json`);
    const { keys } = (await jwks.json()) as { keys: PublicJwk[] };
    const known = keys.map(verificationKey);
    await verifyAnswer(signature, answer, {
      findKey: (kid) => Promise.resolve(known.find((key) => key.kid === kid) ?? null),
      now: Math.floor(Date.now() / 1_000),
    });
    return true;
  }
}

function idOf(body: object | string): string {
  if (typeof body === 'string') return 'none';
  if ('answer' in body) return (body.answer as { answerId: string }).answerId;
  return 'id' in body ? String(body.id) : 'none';
}
