import { compactVerify, createLocalJWKSet, errors } from 'jose';

/** A JWK, with `retiredAt` (ISO 8601) once retired. */
export type AuditKey = Readonly<Record<string, unknown>>;

export abstract class AuditSigner {
  /** @returns a compact JWS */
  abstract sign(payload: object, type: SignedKind): Promise<string>;
  /** Includes retired keys, to check old roots. */
  abstract keys(): Promise<readonly AuditKey[]>;
  /** Stored keys that do not count, and why. */
  abstract foreignKeys(): Promise<readonly { readonly kid: string; readonly why: string }[]>;
}

export type SignedKind = 'audit-root+jws' | 'audit-file+jws';

export interface RootStatement {
  readonly number: number;
  readonly day: string;
  readonly treeSize: number;
  /** Hex. */
  readonly root: string;
  readonly previousRoot: string | null;
  /** To the microsecond. */
  readonly signedAt: string;
}

export interface Signed<Payload> {
  readonly says: Payload;
  readonly retiredAt: Date | null;
}

/** Replicas may use a key some seconds longer, and clocks differ. */
const AFTER_RETIREMENT_MS = 15 * 60_000;

export class StatementCheck {
  private readonly findKey: ReturnType<typeof createLocalJWKSet>;

  /** @throws Error for an invalid key */
  constructor(private readonly keys: readonly AuditKey[]) {
    this.findKey = createLocalJWKSet({ keys: [...keys] as never });
  }

  /** Null unless one of the keys signed it as this kind. */
  async read<Payload extends object>(
    jws: unknown,
    kind: SignedKind,
  ): Promise<Signed<Payload> | null> {
    if (typeof jws !== 'string' || !isCanonical(jws)) return null;
    try {
      const algorithms = ['EdDSA', 'Ed25519', 'ES256'];
      const { payload, protectedHeader } = await compactVerify(jws, this.findKey, { algorithms });
      const key = this.keys.find(({ kid }) => kid === protectedHeader.kid);
      if (protectedHeader.typ !== kind || !key) return null;
      const says = JSON.parse(Buffer.from(payload).toString('utf8')) as Payload;
      const { retiredAt } = key;
      return { says, retiredAt: typeof retiredAt === 'string' ? new Date(retiredAt) : null };
    } catch (error) {
      // A DOMException: the named key is invalid.
      const isUnsigned = [errors.JOSEError, SyntaxError, DOMException].some(
        (one) => error instanceof one,
      );
      if (isUnsigned) return null;
      throw error;
    }
  }
}

/** Other last letters can encode the same bytes. */
function isCanonical(jws: string): boolean {
  const signature = jws.split('.').at(-1) ?? '';
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** An attacker may have a retired key. */
export function isAfterRetirement({ retiredAt }: Signed<unknown>, signedAt: number): boolean {
  return retiredAt !== null && !(signedAt <= retiredAt.getTime() + AFTER_RETIREMENT_MS);
}
