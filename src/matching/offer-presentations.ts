import { Injectable, Module } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { dayInIndia } from '../loans/index.js';
import { Clock, IdGenerator, sha256, type Tx } from '../platform/index.js';
import { type Lender, LenderCatalogue } from '../settings/index.js';
import { ELIGIBILITY_ORDER, OFFER_ORDERS } from './metric-texts.js';
import type { Choice, Comparison, PresentedOffer, ShownEligibility } from './presentation.js';
import {
  type NewPresentation,
  OfferPresentationsRepository,
} from './store/offer-presentations.repository.js';

const MAX_KEPT = 20_000;

type Presented = Omit<NewPresentation, 'id' | 'day' | 'contentHash' | 'fingerprint'>;

/** Records equal content once a day; a cache saves repeated reads the insert. */
@Injectable()
export class OfferPresentations {
  private readonly recorded = new LRUCache<string, true>({ max: MAX_KEPT });

  constructor(
    private readonly presentations: OfferPresentationsRepository,
    private readonly lenders: LenderCatalogue,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** Oldest first, the text as hashed. */
  kept(tx: Tx, subjectId: string): ReturnType<OfferPresentationsRepository['contentsOf']> {
    return this.presentations.contentsOf(tx, subjectId);
  }

  /** Call it before the comparison is shown. */
  async shown(comparison: Comparison): Promise<void> {
    const { partnerId, subjectId, round, place, language, order = 'APR' } = comparison;
    const row = this.rowOf({
      partnerId,
      subjectId,
      round,
      kind: 'SHOWN',
      place,
      language,
      metric: OFFER_ORDERS[order],
      content: JSON.stringify(await this.contentOf(comparison)),
    });
    const key = `${subjectId} ${row.fingerprint}`;
    if (this.recorded.has(key)) return;
    await this.presentations.insert(row);
    this.recorded.set(key, true);
  }

  /** Call it before the answer is shown. */
  async eligibilityShown({ partnerId, subjectId, ...answer }: ShownEligibility): Promise<void> {
    const { productCode } = answer;
    const lenders = answer.lenders.map((lender) => ({ ...lender, amount: undefined }));
    const asked = new Set(lenders.map(({ lenderCode }) => lenderCode));
    const notAsked = lendersNotAsked(await this.lenders.list(), productCode, asked);
    const row = this.rowOf({
      partnerId,
      subjectId,
      round: 1,
      kind: 'SHOWN',
      place: 'API',
      language: null,
      metric: ELIGIBILITY_ORDER,
      content: JSON.stringify({ ...answer, lenders, lendersNotAsked: notAsked }),
    });
    await this.presentations.insert(row);
  }

  /** With the comparison last shown in that place. */
  async chosen(tx: Tx, choice: Choice): Promise<void> {
    const { partnerId, subjectId, round, place, language, order = 'APR', ...chosen } = choice;
    const seen = { partnerId, subjectId, round, place, language, metric: OFFER_ORDERS[order] };
    const presentationId = await this.presentations.newestShown(tx, seen);
    const content = JSON.stringify({ presentationId, ...chosen });
    await this.presentations.insertIn(tx, this.rowOf({ ...seen, kind: 'CHOSEN', content }));
  }

  private rowOf(presented: Presented): NewPresentation {
    const { kind, round, place, language, metric, content } = presented;
    const day = dayInIndia(this.clock.now());
    const contentHash = sha256(content);
    return {
      ...presented,
      id: this.ids.next('prs'),
      day,
      contentHash,
      fingerprint: sha256(JSON.stringify([kind, round, place, language, metric, day, contentHash])),
    };
  }

  private async contentOf(comparison: Comparison) {
    const { productCode, offers, lendersWithoutOffer: without, notLending } = comparison;
    return {
      productCode,
      offers: offers.map(toContent),
      lendersWithoutOffer: without,
      // The lenders that were asked are unknown.
      lendersNotAsked:
        without &&
        lendersNotAsked(
          await this.lenders.list(),
          productCode,
          new Set([
            ...offers.map(({ lenderCode }) => lenderCode),
            ...without.map(({ code }) => code),
          ]),
          new Set(notLending),
        ),
    };
  }
}

function toContent({ explanation, validUntil, ...offer }: PresentedOffer, index: number) {
  return {
    rank: index + 1,
    ...offer,
    validUntil: validUntil.toISOString(),
    ...(explanation !== null && { explanationHash: sha256(explanation) }),
  };
}

@Module({
  providers: [OfferPresentations, OfferPresentationsRepository],
  exports: [OfferPresentations],
})
export class MatchingModule {}

/** `NOT_NAMED`: not in the consent, or configured later. */
interface LenderNotAsked {
  readonly code: string;
  readonly name: string;
  readonly reason: 'SWITCHED_OFF' | 'PRODUCT' | 'AMOUNT' | 'NOT_NAMED';
}

export function lendersNotAsked(
  lenders: readonly Pick<Lender, 'code' | 'name' | 'isEnabled' | 'terms'>[],
  productCode: string,
  asked: ReadonlySet<string>,
  notLending: ReadonlySet<string> = new Set(),
): LenderNotAsked[] {
  return lenders
    .filter(({ code }) => !asked.has(code))
    .map(({ code, name, isEnabled, terms }) => {
      if (!isEnabled) return { code, name, reason: 'SWITCHED_OFF' };
      const isServed = Object.hasOwn(terms.products, productCode);
      if (!isServed) return { code, name, reason: 'PRODUCT' };
      return { code, name, reason: notLending.has(code) ? 'AMOUNT' : 'NOT_NAMED' };
    });
}
