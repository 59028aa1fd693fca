import { Injectable } from '@nestjs/common';
import { QuestionOutbox, type QuestionState, refusalReference } from '../../lenders/index.js';
import type { LenderWithoutOffer } from '../../matching/index.js';
import type { Tx } from '../../platform/index.js';
import { LenderCatalogue } from '../../settings/index.js';
import type { EndedRound } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import type { RoundOffers } from '../store/offers.repository.js';

interface EndingRound {
  readonly journey: Journey;
  readonly states: readonly QuestionState[];
  readonly offers: RoundOffers | null;
}

@Injectable()
export class EndedRounds {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly lenders: LenderCatalogue,
  ) {}

  async of(tx: Tx, rounds: readonly EndingRound[]): Promise<EndedRound[]> {
    const refused = await this.refusedOf(tx, rounds.filter(hasAnswerWithoutOffer));
    const ended: EndedRound[] = [];
    for (const round of rounds) {
      const { id, offerRound } = round.journey;
      const lenders: LenderWithoutOffer[] = [];
      for (const state of statesWithoutOffer(round)) {
        const { lenderCode: code } = state;
        const name = (await this.lenders.find(code))?.name ?? code;
        const isRefused = refused.get(id)?.has(code) ?? false;
        lenders.push({ code, name, standing: isRefused ? 'OFFER_REFUSED' : standingOf(state) });
      }
      ended.push({ round: offerRound, lenders });
    }
    return ended;
  }

  private async refusedOf(
    tx: Tx,
    rounds: readonly EndingRound[],
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    if (rounds.length === 0) return new Map();
    const refused = await this.questionOutbox.statesOf(
      tx,
      'WITHDRAWAL',
      rounds.map(({ journey: { id, offerRound } }) => ({
        subjectId: id,
        reference: refusalReference(offerRound),
      })),
    );
    return new Map(
      [...refused].map(([id, states]) => [id, new Set(states.map(({ lenderCode }) => lenderCode))]),
    );
  }
}

/** Null: not known. */
export function lendersWithoutOffer({
  lendersWithoutOffer: ended,
  offerRound,
}: Journey): readonly LenderWithoutOffer[] | null {
  return ended?.round === offerRound ? ended.lenders : null;
}

/** Offers may be compared while lenders are still asked (`OFFERS_OPENED`). */
export function isStillAsking(journey: Journey): boolean {
  const { state, selectedOfferId } = journey;
  return (
    state === 'OFFERS_RECEIVED' && selectedOfferId === null && lendersWithoutOffer(journey) === null
  );
}

function statesWithoutOffer({ states, offers }: EndingRound): QuestionState[] {
  return states.filter(({ lenderCode }) => !offers?.lenderCodes.includes(lenderCode));
}

function hasAnswerWithoutOffer(round: EndingRound): boolean {
  return statesWithoutOffer(round).some(({ status }) => status === 'ANSWERED');
}

function standingOf({ status, isUnreachable }: QuestionState): LenderWithoutOffer['standing'] {
  if (status === 'ANSWERED') return 'DECLINED';
  return isUnreachable ? 'UNREACHABLE' : 'NO_ANSWER';
}
