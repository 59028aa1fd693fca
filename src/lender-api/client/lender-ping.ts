import { Injectable } from '@nestjs/common';
import { calculateJwkThumbprint } from 'jose';
import {
  type Environment,
  InjectEnvironment,
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
    'Its address is not public: name its network in PRIVATE_NETWORKS, also for the service.',
  NAME_NOT_FOUND: 'DNS has no address for it; /etc/hosts is not read.',
  TLS:
    'Its certificate is not trusted here, or is for another name. Name the file of a private authority ' +
    'in NODE_EXTRA_CA_CERTS, also for the service.',
  CONNECTION: 'No service listens there, or a firewall blocks the connection.',
};

/** Trusting another authority would not solve these. */
const CERTIFICATE_ADVICE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The lender must renew it.',
  CERT_NOT_YET_VALID: 'Compare the clocks, then ask the lender.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Set remote.address to a name in the certificate, or ask the lender for a certificate for this name.',
};

const OF_THE_ANSWER: Partial<Record<CallFailure, string>> = {
  signature_refused:
    'The lender must sign its answer for this call, with a key of remote.keys or remote.jwks.',
  redirect: 'It redirects, which is never followed: set remote.address to the final address.',
};

/**
 * Null when the failure explains itself.
 * @param baseUrl where lenders reach this service
 */
export function pingAdvice(failed: LenderCallFailed, baseUrl: string): string | null {
  const { cause, failure, status } = failed;
  const advice = OF_THE_ANSWER[failure];
  if (advice !== undefined) return advice;
  if (cause instanceof OutboundFailure) {
    const { code = '' } = (cause.cause ?? {}) as { code?: string };
    return CERTIFICATE_ADVICE[code] ?? CONNECTION_ADVICE[cause.reason] ?? null;
  }
  if (status === 401 || (status ?? 0) >= 500) {
    return (
      `The lender must reach this service’s keys at ${baseUrl}${PROTOCOL.keysPath} (the service is running, and its ` +
      'certificate is trusted there), and accept the address above as its own.'
    );
  }
  return null;
}

interface PingResult {
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
    @InjectEnvironment private readonly environment: Pick<Environment, 'baseUrl'>,
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
      if (asked.kind === 'PENDING')
        return result(
          false,
          'It answers 202 for a loan that does not exist; it must answer NOT_FOUND.',
        );
      return asked.verdict.verdict === 'NOT_FOUND'
        ? result(
            true,
            `It answered NOT_FOUND, as it should, and its signature is valid.${await this.keysOf(lender)}`,
          )
        : result(
            false,
            `It found a loan ${PROTOCOL.pingLoanReference}, which never exists; it must answer NOT_FOUND.`,
          );
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
      ` Its key list now: ${named.join(', ')}. A running service may use an older list for up to ` +
      'ten minutes; it rereads the list after an invalid signature, at most every 10 s.'
    );
  }
}
