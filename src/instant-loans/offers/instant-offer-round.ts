import { Injectable } from '@nestjs/common';
import { QuestionOutbox, type QuestionState } from '../../lenders/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import type { Tx } from '../../platform/index.js';
import { inOrder, type MadeOffer } from '../domain/instant-offer.js';
import { InstantLoanMover } from '../domain/instant-loan-mover.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository, type OfferTimes } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';
import { InstantOfferIntake } from './instant-offer-intake.js';
import { OFFERS_REFERENCE } from './instant-offer-requests.js';
import { OfferChoice } from './offer-choice.js';

/** How an application's lenders have answered, and how late it is. */
interface Round extends OfferTimes {
  readonly states: readonly QuestionState[];
  /** Those that still stand, the best first. */
  readonly offers: readonly MadeOffer[];
}

/**
 * Decides whether an application that waits for its lenders can go on, as for the offers of a journey:
 * when all have answered, or at the deadline if an offer is there, and when nothing has come by the
 * long deadline. Once an offer is there it does not wait for a lender that cannot be reached.
 */
@Injectable()
export class InstantOfferRound {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly loans: InstantLoansRepository,
    private readonly offers: InstantOffersRepository,
    private readonly intake: InstantOfferIntake,
    private readonly choice: OfferChoice,
    private readonly lenders: InstantLenders,
    private readonly mover: InstantLoanMover,
    private readonly flags: OperatorFlags,
  ) {}

  /** @param loan locked, its lenders asked and none chosen */
  async evaluate(tx: Tx, loan: InstantLoan): Promise<void> {
    const times = await this.loans.offerTimes(tx, loan.id);
    const states = await this.questionOutbox.states(
      tx,
      loan.id,
      'INSTANT_OFFERS',
      OFFERS_REFERENCE,
    );
    const answered = await this.offers.list(tx, loan);
    const lasting = inOrder(answered).filter(({ validUntil }) => validUntil > times.now);
    const offers = await this.lenders.stillServing(lasting);
    const due = whatIsDue({ ...times, states, offers });
    if (due === 'WAITING') return;
    if (due === 'PAST_DEADLINE') return this.loans.awaitLongDeadline(tx, loan.id);
    const known = new Set(answered.map(({ lenderCode }) => lenderCode));
    for (const { lenderCode, isUnreachable } of states) {
      if (!known.has(lenderCode)) await this.intake.missed(tx, loan, lenderCode, isUnreachable);
    }
    if (due === 'CHOICE') return this.choice.choose(tx, loan, offers, times.now);
    if (due === 'GIVEN_UP') return this.giveUp(tx, loan, states);
    await this.mover.move(tx, loan, 'LENDERS_DECLINED');
  }

  /** Nobody made an offer. Whoever answered has declined; if none did, none could be reached. */
  private async giveUp(tx: Tx, loan: InstantLoan, states: readonly QuestionState[]): Promise<void> {
    const hasAnyAnswered = states.some(({ status }) => status === 'ANSWERED');
    await this.mover.move(tx, loan, hasAnyAnswered ? 'LENDERS_DECLINED' : 'LENDERS_SILENT');
    const lenders = states.filter(({ status }) => status === 'OPEN').map((one) => one.lenderCode);
    await this.flags.raise(tx, {
      partnerId: loan.partnerId,
      subjectId: loan.id,
      kind: 'LENDER_SILENT',
      detail: { lenders, kind: 'INSTANT_OFFERS' },
    });
  }
}

/** What the answers so far, and the time, mean for an application. */
function whatIsDue(round: Round): 'CHOICE' | 'DECLINED' | 'GIVEN_UP' | 'PAST_DEADLINE' | 'WAITING' {
  const open = round.states.filter(({ status }) => status === 'OPEN');
  const isNobodyAwaited = open.every(({ isUnreachable }) => isUnreachable);
  const hasOffer = round.offers.length > 0;
  if (hasOffer && (isNobodyAwaited || round.isPastDeadline)) return 'CHOICE';
  if (open.length === 0) return 'DECLINED';
  if (round.isGivenUp) return 'GIVEN_UP';
  return round.isPastDeadline ? 'PAST_DEADLINE' : 'WAITING';
}
