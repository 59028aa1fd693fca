import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import type { PassedOverLender } from '../../matching/index.js';
import type { Tx } from '../../platform/index.js';
import { LenderCatalogue } from '../../settings/index.js';
import { isAwaitingOffers, isStillAsking } from '../domain/chosen-loan.js';
import { OFFERS_REFERENCE } from '../domain/instant-offer.js';
import { type OfferStanding, withoutOffer } from '../domain/offer-standing.js';
import type { ChosenInstantLoan, InstantLoan } from '../store/instant-loan.entity.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';

export interface AskedLender {
  readonly code: string;
  readonly name: string;
  readonly standing: OfferStanding | PassedOverLender['standing'] | 'WAITING';
}

@Injectable()
export class AskedLenders {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly offers: InstantOffersRepository,
    private readonly lenders: LenderCatalogue,
  ) {}

  async of(tx: Tx, loan: InstantLoan): Promise<AskedLender[]> {
    const answered = await this.offers.list(tx, loan);
    const states = await this.questionOutbox.states(
      tx,
      loan.id,
      'INSTANT_OFFERS',
      OFFERS_REFERENCE,
    );
    const known = new Set(answered.map(({ lenderCode }) => lenderCode));
    const names = new Map((await this.lenders.list()).map(({ code, name }) => [code, name]));
    const waiting = states.filter(({ lenderCode }) => !known.has(lenderCode));
    // A stable order on the page.
    return [...answered, ...waiting]
      .toSorted((a, b) => (a.lenderCode < b.lenderCode ? -1 : 1))
      .map((one) => {
        if ('standing' in one) {
          // An application that is over shows no offers.
          const { standing } = isAwaitingOffers(loan) ? one : withoutOffer(one);
          return { code: one.lenderCode, name: one.lenderName, standing };
        }
        const { lenderCode: code } = one;
        const name = names.get(code) ?? code;
        return { code, name, standing: one.isUnreachable ? 'UNREACHABLE' : 'WAITING' };
      });
  }

  /** Lenders whose answer is not in the opened comparison yet. */
  async stillAsked(tx: Tx, loan: ChosenInstantLoan): Promise<AskedLender[]> {
    if (!isStillAsking(loan)) return [];
    const { others, noOffer } = loan.comparison;
    const compared = new Set([loan.offerId, ...others.map(({ offerId }) => offerId)]);
    const offers = (await this.offers.list(tx, loan)).filter(({ id }) => compared.has(id));
    const known = new Set([
      ...offers.map(({ lenderCode }) => lenderCode),
      ...noOffer.map(({ code }) => code),
    ]);
    const asked = await this.of(tx, loan);
    return asked
      .filter(({ code }) => !known.has(code))
      .map((one) => (one.standing === 'UNREACHABLE' ? one : { ...one, standing: 'WAITING' }));
  }
}
