/** A public key as a JWK, with `retiredAt` (a time in ISO 8601) once it is retired. */
export type AuditKey = Readonly<Record<string, unknown>>;

/** The service's word for a root or a file: the module that keeps the service's keys gives it. */
export abstract class AuditSigner {
  /** @returns a compact JWS over the payload */
  abstract sign(payload: object, type: SignedKind): Promise<string>;
  /** All that ever signed, so that an old root can be checked. */
  abstract keys(): Promise<readonly AuditKey[]>;
  /** Keys that stand among its own and do not count, and why. */
  abstract foreignKeys(): Promise<readonly { readonly kid: string; readonly why: string }[]>;
}

/** Stands in the header of each JWS, so that none passes for anything else. */
export type SignedKind = 'audit-root+jws' | 'audit-file+jws';
