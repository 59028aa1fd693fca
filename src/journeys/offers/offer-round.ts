import { Injectable } from '@nestjs/common';
import { QuestionDesk, type QuestionStanding } from '../../lenders/index.js';
import { OperatorFlags, Tx } from '../../platform/index.js';
import type { Journey } from '../journey.js';
import { type JourneyMove, JourneyMover } from '../journey-mover.js';
import { OffersRepository } from './offers.repository.js';

interface RoundTimes {
  readonly isPastDeadline: boolean;
  readonly isGivenUp: boolean;
}

/** How a journey's lenders have answered, and how late it is. */
interface Round extends RoundTimes {
  readonly journey: Journey;
  readonly standings: readonly QuestionStanding[];
  /** Null while there is no offer. */
  readonly lastValidUntil: Date | null;
}

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

  /** @param journeys locked, in INITIATED, their lenders asked; each of them once */
  async evaluate(tx: Tx, ...journeys: readonly Journey[]): Promise<void> {
    const rounds = await this.roundsOf(tx, journeys);
    const due = Map.groupBy(rounds, whatIsDue);
    const arrived = (due.get('ARRIVED') ?? []).map(({ journey, lastValidUntil }) => ({
      journey,
      changes: { offersDueAt: lastValidUntil },
    }));
    await this.mover.moveAll(tx, arrived, 'OFFERS_ARRIVED');
    await this.mover.moveAll(
      tx,
      (due.get('DECLINED') ?? []).map(withoutOffers),
      'LENDERS_DECLINED',
    );
    for (const round of due.get('GIVEN_UP') ?? []) await this.giveUp(tx, round);
    await this.awaitLongDeadline(tx, due.get('PAST_DEADLINE') ?? []);
  }

  private async roundsOf(tx: Tx, journeys: readonly Journey[]): Promise<Round[]> {
    const asked = journeys.map(({ id, offerRound }) => ({
      subjectId: id,
      reference: String(offerRound),
    }));
    const standings = await this.desk.standingsOf(tx, 'OFFERS', asked);
    const lastValidUntil = await this.offers.lastValidUntil(tx, journeys);
    const times = await this.timesOf(tx, journeys);
    return journeys.map((journey) => ({
      journey,
      standings: standings.get(journey.id) ?? [],
      lastValidUntil: lastValidUntil.get(journey.id) ?? null,
      isPastDeadline: times.get(journey.id)?.isPastDeadline ?? false,
      isGivenUp: times.get(journey.id)?.isGivenUp ?? false,
    }));
  }

  /** Nobody made an offer. Whoever answered has declined; if none did, none could be reached. */
  private async giveUp(tx: Tx, round: Round): Promise<void> {
    const { journey, standings } = round;
    const hasAnyAnswered = standings.some(({ status }) => status === 'ANSWERED');
    const trigger = hasAnyAnswered ? 'LENDERS_DECLINED' : 'LENDERS_SILENT';
    await this.mover.moveAll(tx, [withoutOffers(round)], trigger);
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
  private async awaitLongDeadline(tx: Tx, rounds: readonly Round[]): Promise<void> {
    if (rounds.length === 0) return;
    await tx.execute('UPDATE journeys SET offers_due_at = offers_given_up_at WHERE id = ANY ($1)', [
      rounds.map(({ journey }) => journey.id),
    ]);
  }

  /** When the two are equal, the lenders' deadline has passed before. */
  private async timesOf(
    tx: Tx,
    journeys: readonly Journey[],
  ): Promise<ReadonlyMap<string, RoundTimes>> {
    const rows = await tx.query<RoundTimes & { id: string }>(
      `SELECT id,
         coalesce(offers_due_at <= app_now() OR offers_due_at = offers_given_up_at, false)
           AS "isPastDeadline",
         coalesce(offers_given_up_at <= app_now(), false) AS "isGivenUp"
       FROM journeys WHERE id = ANY ($1)`,
      [journeys.map(({ id }) => id)],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** What the answers so far, and the time, mean for a journey. */
function whatIsDue(
  round: Round,
): 'ARRIVED' | 'DECLINED' | 'GIVEN_UP' | 'PAST_DEADLINE' | 'WAITING' {
  const haveAllAnswered = round.standings.every(({ status }) => status !== 'OPEN');
  if (round.lastValidUntil && (haveAllAnswered || round.isPastDeadline)) return 'ARRIVED';
  if (haveAllAnswered) return 'DECLINED';
  if (round.isGivenUp) return 'GIVEN_UP';
  return round.isPastDeadline ? 'PAST_DEADLINE' : 'WAITING';
}

function withoutOffers({ journey }: Round): JourneyMove {
  return { journey, changes: { offersDueAt: null } };
}
