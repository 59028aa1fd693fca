import { Injectable } from '@nestjs/common';
import {
  FEWEST_COMPARED,
  hasAnyAnswered,
  QuestionOutbox,
  type QuestionState,
  silentLenders,
  whatIsDue,
} from '../../lenders/index.js';
import { Clock, Tx } from '../../platform/index.js';
import { choosableUntil, type EndedRound } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyMover, type MoveGroup } from '../progress/journey-mover.js';
import type { Trigger } from '../domain/transition-table.js';
import { OfferRoundsRepository, type RoundTimes } from '../store/offer-rounds.repository.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { type RoundOffers, OffersRepository } from '../store/offers.repository.js';
import { EndedRounds, isStillAsking } from './ended-rounds.js';
import { OperatorFlags } from '../../operator-flags/index.js';

interface Round extends RoundTimes {
  readonly journey: Journey;
  readonly states: readonly QuestionState[];
  readonly offers: RoundOffers | null;
}

@Injectable()
export class OfferRound {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly offers: OffersRepository,
    private readonly rounds: OfferRoundsRepository,
    private readonly journeys: JourneysRepository,
    private readonly ended: EndedRounds,
    private readonly mover: JourneyMover,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  /** @param journeys locked and distinct: in INITIATED, or compared while lenders are still asked */
  async evaluate(tx: Tx, ...journeys: readonly Journey[]): Promise<void> {
    const rounds = await this.roundsOf(tx, journeys);
    const due = Map.groupBy(
      rounds.filter(({ journey }) => !isStillAsking(journey)),
      (round) => whatIsDue({ ...round, hasOffer: round.offers !== null }),
    );
    for (const round of rounds.filter(({ journey }) => isStillAsking(journey))) {
      if (whatIsDue({ ...round, hasOffer: true }) === 'ARRIVED') await this.stopAsking(tx, round);
    }
    const givenUp = due.get('GIVEN_UP') ?? [];
    await this.mover.moveGroups(tx, [
      await this.ending(tx, due.get('ARRIVED') ?? [], 'OFFERS_ARRIVED'),
      await this.ending(
        tx,
        [...(due.get('DECLINED') ?? []), ...givenUp.filter(({ states }) => hasAnyAnswered(states))],
        'LENDERS_DECLINED',
      ),
      // Without any answer, none could be reached.
      await this.ending(
        tx,
        givenUp.filter(({ states }) => !hasAnyAnswered(states)),
        'LENDERS_SILENT',
      ),
    ]);
    for (const round of givenUp) await this.flagSilentLenders(tx, round);
    const late = (due.get('PAST_DEADLINE') ?? []).map(({ journey }) => journey);
    if (late.length > 0) await this.rounds.awaitLongDeadline(tx, late);
  }

  /**
   * @param journey locked
   * @returns false with fewer than two offers, or in another state than INITIATED
   */
  async open(tx: Tx, journey: Journey): Promise<boolean> {
    if (journey.state !== 'INITIATED') return false;
    const now = this.clock.now();
    const offers = await this.offers.listIn(tx, journey);
    const valid = offers.filter(({ validUntil }) => validUntil > now);
    if (valid.length < FEWEST_COMPARED) return false;
    await this.mover.move(tx, journey, 'OFFERS_OPENED');
    return true;
  }

  /**
   * After a choice no more lenders are asked.
   * @returns the journey's changes
   */
  async close(tx: Tx, journey: Journey): Promise<{ readonly lendersWithoutOffer?: EndedRound }> {
    if (!isStillAsking(journey)) return {};
    const [lendersWithoutOffer] = await this.ended.of(tx, await this.roundsOf(tx, [journey]));
    await this.questionOutbox.close(tx, [journey.id], ['OFFERS']);
    return { lendersWithoutOffer };
  }

  /**
   * The applicant stops: the offers of an early comparison stay shown.
   * @param journey locked
   */
  async withdraw(tx: Tx, journey: Journey): Promise<void> {
    await this.mover.move(tx, journey, 'CONSENT_WITHDRAWN', await this.close(tx, journey));
  }

  private async stopAsking(tx: Tx, { journey, offers }: Round): Promise<void> {
    const changes = await this.close(tx, journey);
    const offersDueAt = dueAt(journey, offers);
    await this.journeys.change(tx, journey, journey.state, { ...changes, offersDueAt });
  }

  private async roundsOf(tx: Tx, journeys: readonly Journey[]): Promise<Round[]> {
    const asked = journeys.map(({ id, offerRound }) => ({
      subjectId: id,
      reference: String(offerRound),
    }));
    const states = await this.questionOutbox.statesOf(tx, 'OFFERS', asked);
    const offers = await this.offers.roundsOf(tx, journeys);
    const times = await this.rounds.timesOf(tx, journeys);
    return journeys.map((journey) => ({
      journey,
      states: states.get(journey.id) ?? [],
      offers: offers.get(journey.id) ?? null,
      isPastDeadline: times.get(journey.id)?.isPastDeadline ?? false,
      isGivenUp: times.get(journey.id)?.isGivenUp ?? false,
    }));
  }

  private async ending(tx: Tx, rounds: readonly Round[], trigger: Trigger): Promise<MoveGroup> {
    const ended = await this.ended.of(tx, rounds);
    const moves = rounds.map(({ journey, offers }, index) => ({
      journey,
      changes: {
        offersDueAt: dueAt(journey, offers),
        lendersWithoutOffer: ended[index],
      },
    }));
    return { moves, trigger };
  }

  private async flagSilentLenders(tx: Tx, { journey, states }: Round): Promise<void> {
    await this.flags.raise(tx, {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      kind: 'LENDER_SILENT',
      cause: ['OFFERS'],
      detail: { lenders: silentLenders(states) },
    });
  }
}

function dueAt(journey: Journey, offers: RoundOffers | null): Date | null {
  return offers && choosableUntil(journey, offers.lastValidUntil);
}
