import { Controller, Get, Query } from '@nestjs/common';
import type { HostedQuote } from '../../journeys/index.js';
import { rupeesToPaise } from '../../loans/index.js';
import type { OfferOrder } from '../../matching/index.js';
import {
  enteredIn,
  formatRupees,
  FormPost,
  Page,
  readForm,
  SeeOther,
} from '../../platform/index.js';
import type { ShownAgain } from '../acknowledgement-page.js';
import { AmountForm, rangeError } from '../entry/amount-form.js';
import { SignedIn } from '../entry/signed-in.js';
import { totalRow } from '../offers/confirmed-terms.js';
import { cardFigures, receivedRow } from '../offers/offer-card.js';
import { orderIn, orderWord, withOrder } from '../offers/offer-order.js';
import {
  amountIn,
  amountPath,
  confirmPath,
  isInRange,
  OfferHere,
  OfferLookup,
  offerPath,
  type OpenOffer,
  suggestedAmount,
} from './offer-lookup.js';
import { questionPage } from './step-pages.js';

@Controller('hosted/offers/:offerId')
@SignedIn()
export class OfferAmountController {
  constructor(private readonly lookup: OfferLookup) {}

  /** @param amount rupees; ignored when the offer does not cover it */
  @Get()
  async show(
    @OfferHere() open: OpenOffer,
    @Query('amount') amount: unknown,
    @Query('by') by: unknown,
  ): Promise<Page> {
    const { offer, view } = open;
    const principal = amountIn(offer, amount) ?? suggestedAmount(offer, view.loanAmount);
    const order = orderIn(by);
    const retryHref = amountPath(offer.offerId, principal, order);
    const quote = await this.lookup.quote(open, principal, retryHref);
    return quote instanceof Page ? quote : amountPage(open, quote, order);
  }

  /** Both buttons only redirect, so that Back and a double press repeat nothing. */
  @FormPost()
  submit(@OfferHere() open: OpenOffer): Page | SeeOther {
    const { offer, request } = open;
    const order = orderIn(enteredIn(request).by);
    const form = readForm(request, AmountForm);
    const amount = form.isValid ? rupeesToPaise(form.value.loanAmount) : null;
    if (amount !== null && isInRange(offer, amount)) {
      const isUpdate = enteredIn(request).decision === 'update';
      return new SeeOther((isUpdate ? amountPath : confirmPath)(offer.offerId, amount, order));
    }
    const errors = form.isValid ? [rangeError(offer.minimumAmount, offer.amount)] : form.errors;
    return amountPage(open, null, order, { errors, entered: form.entered });
  }
}

function amountPage(
  { view, offer }: OpenOffer,
  quote: HostedQuote | null,
  order: OfferOrder,
  failed: ShownAgain = {},
): Page {
  const amount = quote?.selection.loanAmount ?? suggestedAmount(offer, view.loanAmount);
  const model = {
    titleKey: 'offers.less',
    backHref: confirmPath(offer.offerId, amount, order),
    scripts: ['loan-amount.js'],
    languageReturn: withOrder(offerPath(offer.offerId), order),
    ...failed,
    by: orderWord(order),
    least: formatRupees(offer.minimumAmount),
    most: formatRupees(offer.amount),
    // The ₹ sign is in front of the field.
    loanAmount: quote && formatRupees(amount).replace('₹', ''),
    ...(quote && quotedFigures(quote)),
    figuresHref: offerPath(offer.offerId),
  };
  return questionPage(view, 'confirm', 'offers/amount', model);
}

function quotedFigures({ selection, statement }: HostedQuote) {
  return {
    figures: cardFigures(selection),
    rows: [receivedRow(selection), totalRow(statement)],
  };
}
