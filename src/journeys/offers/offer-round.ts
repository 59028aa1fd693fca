import { Injectable } from '@nestjs/common';
import { QuestionDesk, type QuestionStanding } from '../../lenders/index.js';
import { OperatorFlags, Tx } from '../../platform/index.js';
import type { Journey } from '../journey.js';
import { JourneyMover } from '../journey-mover.js';
import { OffersRepository } from './offers.repository.js';

/**
 * Decides whether a journey that waits for its lenders can go on: when all have answered, or at the
 * deadline if an offer is there, and when nothing has come by the long deadline.
 */
@Injectable()
export class OfferRound {
  constructor(
    private readonly desk: QuestionDesk,
    private readonly offers: OffersRepository,
    private readonly mover: JourneyMover,
    private readonly flags: OperatorFlags,
  ) {}

  /** @param journey locked, in INITIATED, its lenders asked */
  async evaluate(tx: Tx, journey: Journey): Promise<void> {
    const standings = await this.desk.standings(
      tx,
      journey.id,
      'OFFERS',
      String(journey.offerRound),
    );
    const haveAllAnswered = standings.every(({ status }) => status !== 'OPEN');
    const lastValidUntil = await this.offers.lastValidUntil(tx, journey);
    const times = await this.timesOf(tx, journey);
    if (lastValidUntil && (haveAllAnswered || times.isPastDeadline)) {
      await this.mover.move(tx, journey, 'OFFERS_ARRIVED', { offersDueAt: lastValidUntil });
    } else if (haveAllAnswered) {
      await this.mover.move(tx, journey, 'LENDERS_DECLINED', { offersDueAt: null });
    } else if (times.isGivenUp) {
      await this.giveUp(tx, journey, standings);
    } else if (times.isPastDeadline) {
      await this.awaitLongDeadline(tx, journey);
    }
  }

  /** Nobody made an offer. Whoever answered has declined; if none did, none could be reached. */
  private async giveUp(
    tx: Tx,
    journey: Journey,
    standings: readonly QuestionStanding[],
  ): Promise<void> {
    const hasAnyAnswered = standings.some(({ status }) => status === 'ANSWERED');
    const trigger = hasAnyAnswered ? 'LENDERS_DECLINED' : 'LENDERS_SILENT';
    await this.mover.move(tx, journey, trigger, { offersDueAt: null });
    await this.flags.raise(tx, {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      kind: 'LENDER_SILENT',
      detail: {
        lenders: standings.filter(({ status }) => status === 'OPEN').map((one) => one.lenderCode),
      },
    });
  }

  /**
   * The long deadline takes the place of the lenders' own in `offers_due_at`. It is copied within
   * the database: a Date would cut its microseconds off, and the two would not be equal any more.
   */
  private async awaitLongDeadline(tx: Tx, journey: Journey): Promise<void> {
    await tx.execute('UPDATE journeys SET offers_due_at = offers_given_up_at WHERE id = $1', [
      journey.id,
    ]);
  }

  /** When the two are equal, the lenders' deadline has passed before. */
  private async timesOf(
    tx: Tx,
    journey: Journey,
  ): Promise<{ isPastDeadline: boolean; isGivenUp: boolean }> {
    const [row] = await tx.query<{ isPastDeadline: boolean; isGivenUp: boolean }>(
      `SELECT coalesce(offers_due_at <= app_now() OR offers_due_at = offers_given_up_at, false)
           AS "isPastDeadline",
         coalesce(offers_given_up_at <= app_now(), false) AS "isGivenUp"
       FROM journeys WHERE id = $1`,
      [journey.id],
    );
    return row;
  }
}
