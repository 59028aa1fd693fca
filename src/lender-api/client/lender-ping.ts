import { Inject, Injectable } from '@nestjs/common';
import { calculateJwkThumbprint } from 'jose';
import { ENVIRONMENT, type Environment } from '../../platform/index.js';
import type { Lender } from '../../settings/index.js';
import { LenderKeys } from '../keys/lender-keys.js';
import { PROTOCOL } from '../protocol/transport.js';
import { LenderCallFailed } from './lender-call-failed.js';
import { LenderClient } from './lender-client.js';
import { pingAdvice } from './ping-advice.js';

export interface PingResult {
  /** Whether address, signatures and answers work both ways. */
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

  /** The running service may have older keys, and this process cannot ask it. */
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
