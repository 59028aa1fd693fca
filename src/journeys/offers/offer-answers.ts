import { Injectable } from '@nestjs/common';
import { FEE } from '../../journey-steps/index.js';
import {
  LenderInbox,
  type LenderOffer,
  QuestionOutbox,
  REVISED_OFFER,
  revisionRefusalReference,
  type WaitingAnswer,
} from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { isPast } from '../domain/journey-state.js';
import { isInstant, NO_CHOICE } from '../domain/journey.js';
import { transition } from '../domain/transition-table.js';
import { AnswerFlags } from '../progress/answer-flags.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { LenderWithdrawals } from '../progress/lender-withdrawals.js';
import { IntentsRepository } from '../store/intents.repository.js';
import { JourneyAudit } from '../store/journey-audit.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { isStillAsking } from './ended-rounds.js';
import { type ClaimedOffers, OfferIntake } from './offer-intake.js';
import { OfferRound } from './offer-round.js';

@Injectable()
export class ReplaceableOffers {
  constructor(
    private readonly offers: OffersRepository,
    private readonly redirects: RedirectsRepository,
    private readonly withdrawals: LenderWithdrawals,
  ) {}

  /**
   * The chosen offer, until the fee is paid or a page was opened where the agreement can be signed. Once the lender has
   * replaced it, the revised offer until the next choice.
   */
  async of(
    tx: Tx,
    journey: Journey,
    lenderCode: string,
    { reference }: LenderOffer,
  ): Promise<readonly Offer[]> {
    const { selectedOfferId, state, steps } = journey;
    const made = await this.offers.listIn(tx, journey);
    const own = made.filter((one) => one.lenderCode === lenderCode);
    if (own.some(({ lenderReference }) => lenderReference === reference)) return [];
    if (selectedOfferId === null) {
      if (state !== 'OFFERS_RECEIVED' || isInstant(journey)) return [];
      const notified = await this.withdrawals.notifiedNotChosen(tx, journey);
      return notified.has(lenderCode) ? [] : revisedIn(own);
    }
    if (!transition(state, 'OFFER_LET_GO', steps) || isPast(journey, FEE.name)) return [];
    const chosen = await this.offers.selected(tx, journey);
    if (chosen.lenderCode !== lenderCode) return [];
    const visits = await this.redirects.signingVisits(tx, journey);
    return visits.length > 0 ? [] : [chosen];
  }

  /**
   * Expires them, and those whose lenders know that they are not chosen.
   * @returns the end of the other offers
   */
  async expire(tx: Tx, journey: Journey, replaced: readonly Offer[]): Promise<Date | null> {
    for (const offer of replaced) await this.offers.expire(tx, offer);
    const notified = await this.withdrawals.notifiedNotChosen(tx, journey);
    for (const offer of await this.offers.listIn(tx, journey)) {
      if (notified.has(offer.lenderCode)) await this.offers.expire(tx, offer);
    }
    return this.offers.lastChoosable(tx, journey);
  }
}

/** @param offers of one lender; those of its verdict have one time */
function revisedIn(offers: readonly Offer[]): Offer[] {
  const times = offers.map(({ createdAt }) => createdAt.getTime());
  return offers.filter(({ createdAt }) => createdAt.getTime() > Math.min(...times));
}

/** When a lender replaces its chosen offer, the applicant chooses again. */
@Injectable()
export class OfferRevisions {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly replaceable: ReplaceableOffers,
    private readonly intake: OfferIntake,
    private readonly redirects: RedirectsRepository,
    private readonly intents: IntentsRepository,
    private readonly mover: JourneyMover,
    private readonly audit: JourneyAudit,
    private readonly flags: AnswerFlags,
  ) {}

  /**
   * Flags an offer that cannot replace the choice.
   * @param journey locked; null when there is none
   * @returns false during an action
   */
  async take(tx: Tx, waiting: Waiting, journey: Journey | null): Promise<boolean> {
    const { answer, answerId, lenderCode } = waiting;
    const revised = answer.kind === 'OFFERED' ? answer.offers[0] : undefined;
    if (!revised) throw new Error('a revision has no offer');
    if (journey && (await this.intents.hasActionInFlight(tx, journey))) return false;
    const replaced = journey ? await this.replaceable.of(tx, journey, lenderCode, revised) : [];
    if (journey && replaced.length > 0) {
      const refusal = revisionRefusalReference(answerId);
      const claimed = { journey, lenderCode, offers: [revised], refusal };
      const [offer] = await this.intake.takeAll(tx, [claimed]);
      if (offer) await this.replace(tx, journey, replaced);
      return true;
    }
    const { reference: offerReference, principal, apr } = revised;
    const facts = { offerReference, principal, apr, holds: true, state: journey?.state ?? null };
    await this.flags.raise(tx, waiting, 'OFFER_REVISED', 'HOLDS', facts);
    return true;
  }

  /** The lender expects a new choice to replace the old one. */
  private async replace(tx: Tx, journey: Journey, replaced: readonly Offer[]): Promise<void> {
    await this.audit.record(tx, journey, 'OFFER_REVISED');
    const offersDueAt = await this.replaceable.expire(tx, journey, replaced);
    if (journey.selectedOfferId === null) {
      await this.journeys.change(tx, journey, journey.state, { offersDueAt });
      return;
    }
    const changes = { ...NO_CHOICE, offersDueAt };
    await this.mover.move(tx, journey, 'OFFER_LET_GO', changes, 'journey.offers_received');
    await this.redirects.release(tx, journey);
  }
}

// An action ends within it.
const ACTION_MS = 10_000;

type Waiting = WaitingAnswer<'OFFERS'>;

/** The journey is locked. */
interface Arrival {
  readonly waiting: Waiting;
  readonly journey: Journey | null;
}

/**
 * Applies answers to offer requests, in the transaction that holds the inbox rows. A late answer is only flagged.
 */
@Injectable()
export class OfferAnswers {
  constructor(
    private readonly inbox: LenderInbox,
    private readonly journeys: JourneysRepository,
    private readonly intake: OfferIntake,
    private readonly round: OfferRound,
    private readonly revisions: OfferRevisions,
    private readonly questionOutbox: QuestionOutbox,
    private readonly flags: AnswerFlags,
  ) {}

  async apply(tx: Tx, waiting: Waiting): Promise<void> {
    const journey = await this.journeys.lock(tx, waiting.partnerId, waiting.subjectId);
    await this.takeUp(tx, [{ waiting, journey }]);
  }

  /**
   * Skips locked journeys, so that transactions with several journeys cannot deadlock.
   * @returns how many were free
   */
  async applyFree(tx: Tx, waiting: readonly Waiting[]): Promise<number> {
    const free = await this.journeys.lockFree(
      tx,
      waiting.map(({ partnerId, subjectId: id }) => ({ partnerId, id })),
    );
    const byId = new Map(free.map((journey) => [journey.id, journey]));
    const arrivals = waiting.flatMap((one) => {
      const journey = byId.get(one.subjectId);
      return journey?.partnerId === one.partnerId ? [{ waiting: one, journey }] : [];
    });
    if (arrivals.length > 0) await this.takeUp(tx, arrivals);
    return arrivals.length;
  }

  private async takeUp(tx: Tx, all: readonly Arrival[]): Promise<void> {
    for (const { waiting, journey } of all.filter(isRevision)) {
      const isTaken = await this.revisions.take(tx, waiting, journey);
      if (isTaken) await this.inbox.markConsumed(tx, waiting.id);
      else await this.inbox.postpone(tx, waiting.id, ACTION_MS);
    }
    const answers = all.filter((one) => !isRevision(one));
    if (answers.length > 0) await this.takeUpAnswers(tx, answers);
  }

  private async takeUpAnswers(tx: Tx, arrivals: readonly Arrival[]): Promise<void> {
    const waiting = arrivals.map((arrival) => arrival.waiting);
    const verdicts = waiting.filter((one) => !isUnreachable(one));
    const first = new Set(await this.questionOutbox.markAnswered(tx, ...verdicts));
    // A lender's second verdict is late, also while other lenders are awaited.
    const isRepeated = (arrival: Arrival) =>
      !isUnreachable(arrival.waiting) && !first.has(arrival.waiting);
    const counted = arrivals.filter((arrival) => !isRepeated(arrival));
    await this.intake.takeAll(tx, counted.flatMap(offersIn));
    const awaiting = counted.flatMap(awaitingIn);
    const rounds = new Map(awaiting.map((journey) => [journey.id, journey]));
    if (rounds.size > 0) await this.round.evaluate(tx, ...rounds.values());
    for (const late of arrivals.filter((one) => isRepeated(one) || isTooLate(one))) {
      if (isLateRefusal(late)) continue;
      await this.flags.raiseLate(tx, late.waiting, late.journey);
    }
    await this.inbox.markConsumed(tx, ...waiting.map(({ id }) => id));
  }
}

/** The lender replaces a chosen offer without being asked. */
function isRevision({ waiting }: Arrival): boolean {
  return waiting.reference === REVISED_OFFER;
}

function awaitingIn({ waiting, journey }: Arrival): Journey[] {
  if (journey === null || waiting.reference !== String(journey.offerRound)) return [];
  return journey.state === 'INITIATED' || isStillAsking(journey) ? [journey] : [];
}

function offersIn(arrival: Arrival): ClaimedOffers[] {
  const { lenderCode, answer } = arrival.waiting;
  if (answer.kind !== 'OFFERED') return [];
  return awaitingIn(arrival).map((journey) => ({
    journey,
    lenderCode,
    offers: answer.offers,
    refused: answer.refused,
  }));
}

function isTooLate(arrival: Arrival): boolean {
  return awaitingIn(arrival).length === 0 && !isUnreachable(arrival.waiting);
}

/** Needs no operator. */
function isLateRefusal({ journey, waiting }: Arrival): boolean {
  return journey !== null && waiting.answer.kind === 'DECLINED';
}

function isUnreachable({ answer }: Waiting): boolean {
  return answer.kind === 'UNREACHABLE';
}
