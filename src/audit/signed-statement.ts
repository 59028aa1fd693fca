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
}

/** Checks signed statements with public keys alone. */
export class StatementCheck {
  private readonly findKey: ReturnType<typeof createLocalJWKSet>;

  /** @throws Error when the keys are none */
  constructor(keys: readonly AuditKey[]) {
    this.findKey = createLocalJWKSet({ keys: [...keys] as never });
  }

  /** What was signed; null when no key of these has signed it as this kind. */
  async read<Payload extends object>(jws: unknown, kind: SignedKind): Promise<Payload | null> {
    if (typeof jws !== 'string') return null;
    try {
      const algorithms = ['EdDSA', 'Ed25519', 'ES256'];
      const { payload, protectedHeader } = await compactVerify(jws, this.findKey, { algorithms });
      if (protectedHeader.typ !== kind) return null;
      return JSON.parse(Buffer.from(payload).toString('utf8')) as Payload;
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof SyntaxError) return null;
      throw error;
    }
  }
}
