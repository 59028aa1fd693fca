/** Why a call got no answer that could be used. */
export const OUTBOUND_FAILURE_REASONS = [
  /** The deadline passed, wherever the call then stood. */
  'TIMEOUT',
  /** The address is not a URL, or not of a scheme that is allowed. */
  'URL_REFUSED',
  /** The host is, or its name leads to, an address that must not be reached. */
  'ADDRESS_REFUSED',
  'NAME_NOT_FOUND',
  /** The handshake failed, or the certificate is not to be trusted. */
  'TLS',
  /** Refused, reset, unreachable, or closed before the answer was there. */
  'CONNECTION',
  /** What came back is not HTTP, or changes to another protocol (101). */
  'PROTOCOL',
  /** The answer was a 3xx, which is never followed. */
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

/** A call that got no usable answer. */
export class OutboundFailure extends Error {
  /** The status of the answer, when one came: that of a redirect, or 101. */
  readonly status?: number;
  /** How long the call took; 0 until the client has filled it in. */
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

  /**
   * Whether the request was certainly not carried out: nobody got it, or it was sent elsewhere.
   * False when that is not known.
   */
  get neverArrived(): boolean {
    const { code } = (this.cause ?? {}) as { code?: unknown };
    return (
      NEVER_ARRIVED.includes(this.reason) ||
      (typeof code === 'string' && NO_CONNECTION_CODES.has(code))
    );
  }
}

const PROTOCOL_CODES = /^HPE_/;
// Codes of OpenSSL's verification and of Node's own check of the name.
const TLS_CODES =
  /^(EPROTO|ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/;

/** What a thrown value of the HTTP client means. */
export function asOutboundFailure(error: unknown, durationMs: number): OutboundFailure {
  if (error instanceof OutboundFailure) {
    const { reason, message, status, cause } = error;
    return new OutboundFailure(reason, { message, status, durationMs, cause });
  }
  const message = certificateProblem(error) ?? undefined;
  return new OutboundFailure(reasonOf(error), { message, durationMs, cause: error });
}

/** When a server's certificate is valid. A connection's error has them as `certificate`. */
export interface CertificateDates {
  readonly validFrom?: Date;
  readonly validTo?: Date;
}

/** What is wrong with a server's certificate, as a sentence; null when the failure is another. */
export function certificateProblem(error: unknown): string | null {
  const { code = '', certificate } = (error ?? {}) as {
    code?: string;
    certificate?: CertificateDates;
  };
  const on = (date?: Date) => (date ? ` on ${date.toISOString().slice(0, 10)}` : '');
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `the certificate expired${on(certificate?.validTo)}`;
    case 'CERT_NOT_YET_VALID':
      return `the certificate is not valid yet: it begins${on(certificate?.validFrom) || ' later'}`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return 'the certificate is for another host name';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'the certificate is self-signed, and not trusted here';
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
