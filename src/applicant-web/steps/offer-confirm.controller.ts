import { Controller, Get, Query } from '@nestjs/common';
import { type HostedQuote, HostedVisits, type PossibleMandate } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import type { OfferOrder } from '../../matching/index.js';
import {
  enteredIn,
  FormPost,
  type Language,
  Page,
  readForm,
  say,
  type SeeOther,
  type Shown,
} from '../../platform/index.js';
import { inLanguage } from '../../settings/index.js';
import { ReadKeyFactsForm, type ShownAgain } from '../acknowledgement-page.js';
import { requireStamp, ScreenRedirect, TO_CURRENT_SCREEN } from '../entry/current-screen.js';
import { SignedIn } from '../entry/signed-in.js';
import { confirmedTerms } from '../offers/confirmed-terms.js';
import { orderIn, orderWord, withOrder } from '../offers/offer-order.js';
import { shortName } from '../offers/offer-card.js';
import {
  amountIn,
  amountPath,
  confirmPath,
  OfferHere,
  OfferLookup,
  offerPath,
  type OpenOffer,
  rupeesText,
} from './offer-lookup.js';
import { DraftAddresses } from './draft-key-facts.controller.js';
import { type ChargeStanding, linedUpCharges } from './lined-up-charges.js';
import { BOUND_KEYS, questionPage } from './step-pages.js';

interface Chosen {
  readonly amount: Paise;
  readonly order: OfferOrder;
}

/** The form has the statement's hash, so no other statement can be agreed to. */
@Controller('hosted/offers/:offerId/confirm')
@SignedIn()
export class OfferConfirmController {
  constructor(
    private readonly visits: HostedVisits,
    private readonly lookup: OfferLookup,
    private readonly drafts: DraftAddresses,
  ) {}

  @Get()
  show(
    @OfferHere() open: OpenOffer,
    @Query('amount') text: unknown,
    @Query('by') by: unknown,
  ): Promise<Page> {
    return this.statement(open, { amount: amountOf(open, text), order: orderIn(by) });
  }

  @FormPost()
  async confirm(@OfferHere() open: OpenOffer): Promise<Page | SeeOther> {
    const { language, request } = open;
    const entered = enteredIn(request);
    const { amount: text, keyFactsHash = '', keyFactsIssuedAt = '' } = entered;
    const insteadOf = requireSameChoice(open, entered.insteadOf);
    const amount = amountOf(open, text);
    const order = orderIn(entered.by);
    const form = readForm(request, ReadKeyFactsForm);
    if (!form.isValid) {
      return this.statement(open, { amount, order }, { errors: form.errors });
    }
    const statement = { keyFactsHash, keyFactsIssuedAt, language };
    const choice = { loanAmount: amount, insteadOf, order, ...statement };
    const retryHref = confirmPath(open.offer.offerId, amount, order);
    const outcome = await this.lookup.choose(open, choice, retryHref);
    if (outcome === 'CHOSEN') return TO_CURRENT_SCREEN;
    if (outcome instanceof Page) return outcome;
    return this.statement(open, { amount, order }, { hasChanged: true });
  }

  private async statement(
    open: OpenOffer,
    { amount, order }: Chosen,
    again: ShownAgain = {},
  ): Promise<Page> {
    const retryHref = confirmPath(open.offer.offerId, amount, order);
    const quote = await this.lookup.quote(open, amount, retryHref);
    if (quote instanceof Page) return quote;
    const { mandates } = await this.visits.remains(open.session);
    return this.page(open, quote, order, { ...again, mandates });
  }

  private page(
    { view, offer, language }: OpenOffer,
    quote: HostedQuote,
    order: OfferOrder,
    more: ShownAgain & { readonly mandates: readonly PossibleMandate[] },
  ): Page {
    const { offerId } = offer;
    const { loanAmount } = quote.selection;
    const gold = view.applicant?.gold;
    const charges = statedCharges(view, quote, language);
    const terms = confirmedTerms({ ...quote, gold }, charges, language);
    const [amountRow, ...rows] = terms.rows;
    const model = {
      titleKey: 'offers.confirm',
      isWide: true,
      backHref: withOrder('/hosted/offers', order),
      backText: say('offers.confirm.back'),
      languageReturn: confirmPath(offerId, loanAmount, order),
      ...more,
      insteadOf: view.selected?.offer.offerId,
      chosen: view.selected && shortName(view.selected.offer),
      ...terms,
      rows: [
        {
          ...amountRow,
          changeHref: amountPath(offerId, loanAmount, order),
          changeLabel: say('offers.confirm.amount.change'),
        },
        ...rows,
      ],
      boundText: boundText(offer),
      amount: rupeesText(loanAmount),
      by: orderWord(order),
      action: `${offerPath(offerId)}/confirm`,
      keyFactsHash: quote.keyFactsHash,
      keyFactsIssuedAt: quote.keyFactsIssuedAt,
      statementHref: this.drafts.pathOf(offerId, loanAmount, quote.keyFactsIssuedAt),
    };
    const status = more.hasChanged ? 409 : undefined;
    return questionPage(view, 'confirm', 'offers/confirm', model, status);
  }
}

/** Covers each kind of charge that any offer names. */
function statedCharges(
  { offers }: OpenOffer['view'],
  { offer }: HostedQuote,
  language: Language,
): ChargeStanding[] {
  const all = [offer, ...offers.filter(({ offerId }) => offerId !== offer.offerId)];
  const [charges] = linedUpCharges(
    all.map(({ terms }) => terms.contingentCharges),
    (text, place) => inLanguage(all[place].terms.texts, language, text),
  );
  return charges;
}

/** Until when another offer can be chosen, if not the signature. */
function boundText({ lenderName, terms }: OpenOffer['offer']): Shown | null {
  const { bindsAfter } = terms;
  return bindsAfter ? say(BOUND_KEYS[bindsAfter], { lender: lenderName }) : null;
}

/**
 * A replacement requires the same previous choice.
 * @returns the offer that is replaced
 * @throws ScreenRedirect when the choice has changed
 */
function requireSameChoice(open: OpenOffer, insteadOf: string | undefined): string | undefined {
  const chosen = open.view.selected?.offer.offerId;
  if (chosen === undefined || chosen !== insteadOf) requireStamp(open);
  return chosen;
}

/** @throws ScreenRedirect to the amount page unless the offer covers it */
function amountOf({ offer }: OpenOffer, text: unknown): Paise {
  const amount = amountIn(offer, text);
  if (amount === null) throw new ScreenRedirect(offerPath(offer.offerId));
  return amount;
}
