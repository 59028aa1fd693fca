import { compactVerify, createLocalJWKSet, errors } from 'jose';
import type { AuditKey, SignedKind } from './audit-signer.js';

/** What a root's signature says. */
export interface RootStatement {
  readonly number: number;
  readonly day: string;
  readonly treeSize: number;
  /** In hex. */
  readonly root: string;
  /** The root of the tree before; null for the first. */
  readonly previousRoot: string | null;
  /** To the microsecond. */
  readonly signedAt: string;
}

/** What somebody has signed with one of the keys. */
export interface Signed<Payload> {
  readonly says: Payload;
  /** When the key was retired, as far as the keys say it. */
  readonly retiredAt: Date | null;
}

/** A replica goes on with a key for some seconds, and clocks differ. */
const AFTER_RETIREMENT_MS = 15 * 60_000;

/** Checks signed statements with public keys alone. */
export class StatementCheck {
  private readonly findKey: ReturnType<typeof createLocalJWKSet>;

  /** @throws Error when the keys are none */
  constructor(private readonly keys: readonly AuditKey[]) {
    this.findKey = createLocalJWKSet({ keys: [...keys] as never });
  }

  /** What was signed; null when no key of these has signed it as this kind. */
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
      // A DOMException: the key that it names is none.
      const isUnsigned = [errors.JOSEError, SyntaxError, DOMException].some(
        (one) => error instanceof one,
      );
      if (isUnsigned) return null;
      throw error;
    }
  }
}

/** Another last letter of the signature can stand for the same bytes. */
function isCanonical(jws: string): boolean {
  const signature = jws.split('.').at(-1) ?? '';
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** Whether its key was no longer the service’s at that time: one that others got hold of proves nothing later. */
export function isAfterRetirement({ retiredAt }: Signed<unknown>, signedAt: number): boolean {
  return retiredAt !== null && !(signedAt <= retiredAt.getTime() + AFTER_RETIREMENT_MS);
}
