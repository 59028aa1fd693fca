import { Injectable } from '@nestjs/common';
import type { KeyFactsDraft } from '../../key-facts/index.js';
import type { Paise } from '../../loans/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import { Clock, Fault, type Language, type Tx } from '../../platform/index.js';
import type { OfferOrder } from '../../matching/index.js';
import type { QuotedLoan } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { JourneyKeyFacts } from './journey-key-facts.js';
import { OfferQuotes } from './offer-quotes.js';

export interface ShownKeyFacts {
  readonly hash: string;
  /** ISO 8601. */
  readonly issuedAt: string;
  readonly language: Language;
  /** The displayed order of the offers; absent: by APR. */
  readonly order?: OfferOrder;
}

interface DrawnChoice {
  readonly quoted: QuotedLoan;
  readonly draft: KeyFactsDraft;
}

@Injectable()
export class DrawnChoices {
  constructor(
    private readonly quotes: OfferQuotes,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks the lender, so never call it inside a transaction.
   * @param shown only this statement binds; absent: a partner's program chooses
   * @returns `DIFFERS` when the quote is not the offer; or a Fault offer_expired or key_facts_changed
   * @throws LenderUnavailable when the response is unknown
   */
  async draw(
    journey: Journey,
    offer: Offer,
    principal: Paise,
    shown?: ShownKeyFacts,
  ): Promise<DrawnChoice | 'DIFFERS' | Fault> {
    const quoted = await this.quotes.quote(journey, offer, principal);
    // It may have expired while its lender was quoting.
    if (quoted === 'GONE' || this.hasExpired(offer)) return new Fault('offer_expired');
    if (quoted === 'DIFFERS') return quoted;
    const issuedAt = shown === undefined ? this.clock.now() : this.issueTime(offer, shown);
    const draft = issuedAt && (await this.keyFacts.drawUp(journey, offer, quoted, issuedAt));
    const isShown = draft && (!shown || draft.contentHash === shown.hash);
    if (!isShown) return new Fault('key_facts_changed');
    return { quoted, draft };
  }

  hasExpired({ validUntil }: Offer): boolean {
    return validUntil <= this.clock.now();
  }

  /** Flags a quote that is not the offer; idempotent. */
  async flag(tx: Tx, { partnerId, id: subjectId }: Journey, offer: Offer): Promise<void> {
    const { lenderCode, id: offerId } = offer;
    const reason = 'QUOTE_DIFFERS';
    await this.flags.raise(tx, {
      partnerId,
      subjectId,
      kind: 'OFFER_REFUSED',
      cause: [lenderCode, reason, offerId],
      detail: { lenderCode, offerId, reason },
    });
  }

  /** Null: the statement was not shown since the offer arrived. */
  private issueTime(offer: Offer, { issuedAt }: ShownKeyFacts): Date | null {
    const time = new Date(issuedAt);
    return time >= offer.createdAt && time <= this.clock.now() ? time : null;
  }
}
