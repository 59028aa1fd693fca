const OUTBOUND_FAILURE_REASONS = [
  'TIMEOUT',
  /** Not a URL, or a forbidden scheme. */
  'URL_REFUSED',
  /** The host is, or resolves to, a forbidden address. */
  'ADDRESS_REFUSED',
  'NAME_NOT_FOUND',
  /** The handshake failed, or the certificate is not trusted. */
  'TLS',
  /** Refused, reset, unreachable, or closed early. */
  'CONNECTION',
  /** Not HTTP, or another protocol (101). */
  'PROTOCOL',
  /** A 3xx, which is never followed. */
  'REDIRECT',
] as const;

export type OutboundFailureReason = (typeof OUTBOUND_FAILURE_REASONS)[number];

const NEVER_ARRIVED: readonly OutboundFailureReason[] = [
  'URL_REFUSED',
  'ADDRESS_REFUSED',
  'NAME_NOT_FOUND',
  'TLS',
  'REDIRECT',
];
const NO_CONNECTION_CODES = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

export class OutboundFailure extends Error {
  /** Of a redirect, or 101. */
  readonly status?: number;
  /** 0 until the client sets it. */
  readonly durationMs: number;

  constructor(
    readonly reason: OutboundFailureReason,
    options: { message?: string; status?: number; durationMs?: number; cause?: unknown } = {},
  ) {
    super(options.message ?? reason, { cause: options.cause });
    this.name = 'OutboundFailure';
    this.status = options.status;
    this.durationMs = options.durationMs ?? 0;
  }

  /** True when the request certainly had no effect. */
  get neverArrived(): boolean {
    const { code } = (this.cause ?? {}) as { code?: unknown };
    return (
      NEVER_ARRIVED.includes(this.reason) ||
      (typeof code === 'string' && NO_CONNECTION_CODES.has(code))
    );
  }
}

const PROTOCOL_CODES = /^HPE_/;
// Codes of OpenSSL and of Node's name check.
const TLS_CODES =
  /^(EPROTO|ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/;

export function asOutboundFailure(error: unknown, durationMs: number): OutboundFailure {
  if (error instanceof OutboundFailure) {
    const { reason, message, status, cause } = error;
    return new OutboundFailure(reason, { message, status, durationMs, cause });
  }
  const message = certificateProblem(error) ?? undefined;
  return new OutboundFailure(reasonOf(error), { message, durationMs, cause: error });
}

/** Attached to a connection's error as `certificate`. */
export interface CertificateDates {
  readonly validFrom?: Date;
  readonly validTo?: Date;
}

/** Null for other failures. */
function certificateProblem(error: unknown): string | null {
  const { code = '', certificate } = (error ?? {}) as {
    code?: string;
    certificate?: CertificateDates;
  };
  const on = (date?: Date) => (date ? ` on ${date.toISOString().slice(0, 10)}` : '');
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `the certificate expired${on(certificate?.validTo)}`;
    case 'CERT_NOT_YET_VALID':
      return `the certificate is not yet valid: it starts${on(certificate?.validFrom) || ' later'}`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return 'the certificate is for another host name';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'the certificate is self-signed and not trusted here';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'the certificate’s issuer is not trusted here, or its chain is incomplete';
    default:
      return null;
  }
}

function reasonOf(error: unknown): OutboundFailureReason {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  if (code === 'ETIMEDOUT') return 'TIMEOUT';
  if (TLS_CODES.test(code)) return 'TLS';
  if (PROTOCOL_CODES.test(code)) return 'PROTOCOL';
  return 'CONNECTION';
}
