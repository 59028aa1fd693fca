import type { IncomingHttpHeaders } from 'node:http';
import type { FlattenedVerifyGetKey } from 'jose';
import type { Database } from './database.ts';
import { NotSigned, verifyDetached } from './detached-jws.ts';
import { ProtocolError } from './protocol-error.ts';
import type { World } from './world.ts';

export interface SignedRequest {
  readonly lender: string;
  readonly method: string;
  /** The called address as known outside, without a query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const TOLERANCE_S = 300;
/** Longer than a signature is valid, for any clock difference. */
const KEEP_JTI_S = 2 * TOLERANCE_S + 60;
const JTI = /^[A-Za-z0-9._:-]{8,64}$/;

/** Checks signature, time, address, and that each `jti` is used once. */
export class RequestCheck {
  readonly #database: Database;
  readonly #keys: FlattenedVerifyGetKey;
  readonly #world: World;

  constructor(database: Database, keys: FlattenedVerifyGetKey, world: World) {
    this.#database = database;
    this.#keys = keys;
    this.#world = world;
  }

  /**
   * Returns the request's `jti`, to which the answer is bound.
   * @throws ProtocolError 401, without a reason: a forger learns nothing
   */
  async verify(request: SignedRequest): Promise<string> {
    const claims = await this.#claims(request);
    const now = this.#world.realNow().getTime() / 1000;
    const { iat, htm, htu, jti } = claims;
    if (typeof iat !== 'number' || Math.abs(now - iat) > TOLERANCE_S) throw refusal();
    if (htm !== request.method || htu !== request.url) throw refusal();
    if (typeof jti !== 'string' || !JTI.test(jti)) throw refusal();
    // Last: an invalid request must not use up a jti.
    if (!this.#isFirst(request.lender, jti, now)) {
      throw new ProtocolError(401, 'request_replayed', 'This jti was used before.');
    }
    return jti;
  }

  async #claims({ headers, body }: SignedRequest): Promise<Record<string, unknown>> {
    const signature = headers['x-jws-signature'];
    try {
      return await verifyDetached(single(signature), body, this.#keys);
    } catch (error) {
      if (error instanceof NotSigned) throw refusal();
      // The lender's keys could not be fetched, so the sender is unknown.
      console.error(
        'Rinpath’s keys could not be read:',
        error instanceof Error ? whole(error) : '',
      );
      throw new ProtocolError(503, 'unavailable', 'Try again later.');
    }
  }

  #isFirst(lender: string, jti: string, now: number): boolean {
    this.#database.run('DELETE FROM seen_jtis WHERE expires_at < ?', [Math.floor(now)]);
    const sql = 'INSERT OR IGNORE INTO seen_jtis (lender, jti, expires_at) VALUES (?, ?, ?)';
    return this.#database.run(sql, [lender, jti, Math.floor(now) + KEEP_JTI_S]) === 1;
  }
}

function refusal(): ProtocolError {
  return new ProtocolError(401, 'signature_refused', 'The request’s signature is not valid.');
}

/** A header that was sent several times counts as missing. */
export function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** With the cause: `fetch failed` does not help. */
function whole({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${whole(cause)}` : message;
}
