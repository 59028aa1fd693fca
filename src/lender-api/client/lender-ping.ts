import { Inject, Injectable } from '@nestjs/common';
import { calculateJwkThumbprint } from 'jose';
import {
  ENVIRONMENT,
  type Environment,
  OutboundFailure,
  type OutboundFailureReason,
} from '../../platform/index.js';
import type { Lender } from '../../settings/index.js';
import { LenderKeys } from '../keys/lender-keys.js';
import { PROTOCOL } from '../protocol/transport.js';
import { type CallFailure, LenderCallFailed } from './lender-call-metrics.js';
import { LenderClient } from './lender-client.js';

const CONNECTION_ADVICE: Partial<Record<OutboundFailureReason, string>> = {
  ADDRESS_REFUSED:
    'Its address is not a public one: name its network in PRIVATE_NETWORKS, for the service, too.',
  NAME_NOT_FOUND: 'The name servers have no address for it; /etc/hosts is not read.',
  TLS:
    'Its certificate is not trusted here, or is not for this name. Name the file of a private authority ' +
    'in NODE_EXTRA_CA_CERTS, for the service, too.',
  CONNECTION: 'Nothing takes calls there, or a firewall stands between.',
};

/** Trusting another authority would not solve these. */
const CERTIFICATE_ADVICE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The lender must renew it.',
  CERT_NOT_YET_VALID: 'Compare the clocks, then ask the lender.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'remote.address must have a name that the certificate is for; or the lender must get one for this name.',
};

const OF_THE_ANSWER: Partial<Record<CallFailure, string>> = {
  signature_refused:
    'Its answer must be signed for this very call, with a key of remote.keys or of the list at remote.jwks.',
  redirect: 'It leads elsewhere, which is never followed: remote.address must be where it answers.',
};

/**
 * Null when the failure explains itself.
 * @param baseUrl where lenders reach this service
 */
export function pingAdvice(failed: LenderCallFailed, baseUrl: string): string | null {
  const { cause, failure, status } = failed;
  const told = OF_THE_ANSWER[failure];
  if (told !== undefined) return told;
  if (cause instanceof OutboundFailure) {
    const { code = '' } = (cause.cause ?? {}) as { code?: string };
    return CERTIFICATE_ADVICE[code] ?? CONNECTION_ADVICE[cause.reason] ?? null;
  }
  if (status === 401 || (status ?? 0) >= 500) {
    return (
      `It must reach this service’s keys at ${baseUrl}${PROTOCOL.keysPath} (the service runs, and its ` +
      'certificate is trusted there), and know itself by the address above.'
    );
  }
  return null;
}

export interface PingResult {
  /** Whether address, signatures and responses work both ways. */
  readonly isUnderstood: boolean;
  readonly says: string;
  readonly durationMs: number;
}

@Injectable()
export class LenderPing {
  constructor(
    private readonly client: LenderClient,
    private readonly keys: LenderKeys,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'baseUrl'>,
  ) {}

  async ping(lender: Lender): Promise<PingResult> {
    const startedAt = performance.now();
    const result = (isUnderstood: boolean, says: string): PingResult => ({
      isUnderstood,
      says,
      durationMs: Math.round(performance.now() - startedAt),
    });
    try {
      const asked = await this.client.askLoan(lender, PROTOCOL.pingLoanReference);
      if (asked.kind === 'PENDING') return result(false, 'It answers 202 for a loan that is not.');
      return asked.verdict.verdict === 'NOT_FOUND'
        ? result(
            true,
            `It knows no such loan, as it should, and its signature holds.${await this.keysOf(lender)}`,
          )
        : result(false, `It claims a loan ${PROTOCOL.pingLoanReference}, which never is one.`);
    } catch (error) {
      if (!(error instanceof LenderCallFailed)) throw error;
      const advice = pingAdvice(error, this.environment.baseUrl);
      return result(false, `${error.message} (${error.failure}).${advice ? ` ${advice}` : ''}`);
    }
  }

  /** The running service may have older keys. */
  private async keysOf(lender: Lender): Promise<string> {
    const fetched = this.keys.lastFetched(lender);
    if (!fetched) return '';
    const named = await Promise.all(
      fetched.map(async ({ kid, publicKey }) => {
        const thumbprint = await calculateJwkThumbprint(publicKey.export({ format: 'jwk' }));
        return `${kid} (thumbprint ${thumbprint})`;
      }),
    );
    return (
      ` Its key list was read now: ${named.join(', ')}. A running service may still have an earlier list, for up to ` +
      'ten minutes; it reads the list again when a signature does not hold, at most every 10 s.'
    );
  }
}
