import { Injectable, Logger } from '@nestjs/common';
import { MILESTONES } from '../journey-steps/index.js';
import { Database, exponentialBackoff, logFailure, RandomSource } from '../platform/index.js';
import { SmsDispatch } from './sms-dispatch.js';
import { SmsRefused, SmsUnavailable } from './sms-gateway.js';
import { type SmsClaim, SmsMessagesRepository } from './store/sms-messages.repository.js';
import { OperatorFlags } from '../operator-flags/index.js';
import type { SmsKind } from '../settings/index.js';

const BACKOFF = { firstMs: 2_000, maxMs: 10 * 60_000, jitter: 0.2 };
// After an unknown outcome a retry may send the message twice.
const UNKNOWN_BACKOFF = { firstMs: 20_000, maxMs: 3_600_000, jitter: 0.2 };
const MAX_UNKNOWNS = 10;
// A milestone is better lost than sent twice.
const SENT_ONCE: ReadonlySet<SmsKind> = new Set(MILESTONES);

/**
 * Sends at least once, a milestone at most once: an expired lease is claimed again. No transaction is open during the
 * call.
 */
@Injectable()
export class SmsAttempt {
  private readonly logger = new Logger(SmsAttempt.name);

  constructor(
    private readonly database: Database,
    private readonly messages: SmsMessagesRepository,
    private readonly dispatch: SmsDispatch,
    private readonly flags: OperatorFlags,
    private readonly random: RandomSource,
  ) {}

  /**
   * Never rejects.
   * @returns whether the gateway accepted the message
   */
  async make(claim: SmsClaim): Promise<boolean> {
    try {
      if (claim.unknowns >= maxUnknowns(claim)) {
        await this.end(claim, 'GIVEN_UP', 'an earlier attempt recorded no outcome');
        return false;
      }
      const { gateway, gatewayMessageId } = await this.dispatch.send(claim);
      await this.messages.recordHandedOver(claim, gateway, gatewayMessageId);
      return true;
    } catch (error) {
      await this.recordFailure(claim, error).catch((lost: unknown) =>
        logFailure(this.logger, lost, { sms: claim.id }),
      );
      return false;
    }
  }

  private async recordFailure(claim: SmsClaim, error: unknown): Promise<void> {
    if (error instanceof SmsRefused) return this.end(claim, 'REFUSED', error.reason);
    // An accepted message was not recorded: the lease expires, and a gateway with references deduplicates the retry.
    if (!(error instanceof SmsUnavailable)) throw error;
    const { reason, mayHaveGone } = error;
    const unknowns = claim.unknowns + (mayHaveGone ? 1 : 0);
    if (unknowns >= maxUnknowns(claim)) return this.end(claim, 'GIVEN_UP', reason);
    this.logger.warn({ err: error, sms: claim.id, kind: claim.kind, attempts: claim.attempts });
    const waitMs = mayHaveGone
      ? exponentialBackoff(unknowns, UNKNOWN_BACKOFF, this.random.fraction())
      : exponentialBackoff(claim.attempts, BACKOFF, this.random.fraction());
    await this.messages.postpone(claim, { failure: reason, waitMs, isUnknown: mayHaveGone });
  }

  private async end(
    claim: SmsClaim,
    status: 'REFUSED' | 'GIVEN_UP',
    failure: string,
  ): Promise<void> {
    const { id, partnerId, subjectId, kind } = claim;
    await this.database.transaction(async (tx) => {
      if (!(await this.messages.recordEnd(tx, claim, status, failure))) return;
      await this.flags.raise(tx, {
        partnerId,
        subjectId,
        kind: 'SMS_NOT_SENT',
        cause: [kind, status],
        detail: { smsId: id, kind, status, failure },
      });
    });
  }
}

function maxUnknowns({ kind }: SmsClaim): number {
  return SENT_ONCE.has(kind) ? 1 : MAX_UNKNOWNS;
}
