import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { HostedQuote } from '../../journeys/index.js';
import { rupeesToPaise } from '../../loans/index.js';
import {
  CsrfProtected,
  enteredIn,
  formatRupees,
  type FormError,
  readForm,
} from '../../platform/index.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import {
  AmountForm,
  amountIn,
  amountPath,
  confirmPath,
  isInRange,
  rangeError,
  suggestedAmount,
} from './chosen-amount.js';
import { offerPath } from './compared-offers.js';
import { loanFigures } from './loan-figures.js';
import { OfferLookup, type OpenOffer } from './offer-lookup.js';
import { type Exchange, StepScreens } from './step-screens.js';

/** How much of an offer is taken; the lender's figures follow the amount. */
@Controller('hosted/offers/:offerId')
@SignedIn()
export class OfferAmountController {
  constructor(
    private readonly lookup: OfferLookup,
    private readonly screens: StepScreens,
  ) {}

  /** @param amount in rupees; one that the offer does not cover counts as none */
  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @Param('offerId') offerId: string,
    @Query('amount') amount: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const exchange = { request, response };
    const open = await this.lookup.open(session, offerId);
    const { offer, view } = open;
    const principal = amountIn(offer, amount) ?? suggestedAmount(offer, view.loanAmount);
    const retryHref = amountPath(offerId, principal);
    const quote = await this.lookup.quote(exchange, session, open, principal, retryHref);
    if (quote) await this.render(exchange, open, quote);
  }

  /** Both buttons only lead on, so that Back and a second press repeat nothing. */
  @Post()
  @CsrfProtected()
  async submit(
    @HostedSession() session: HostedSessionValue,
    @Param('offerId') offerId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const open = await this.lookup.open(session, offerId);
    const form = readForm(request, AmountForm);
    const amount = form.isValid ? rupeesToPaise(form.value.loanAmount) : null;
    if (amount !== null && isInRange(open.offer, amount)) {
      const isUpdate = enteredIn(request).decision === 'update';
      response.redirect(303, (isUpdate ? amountPath : confirmPath)(offerId, amount));
      return;
    }
    const errors = form.isValid ? [rangeError(open.offer)] : form.errors;
    await this.render({ request, response }, open, null, { errors, entered: form.entered });
  }

  private render(
    exchange: Exchange,
    { view, offer }: OpenOffer,
    quote: HostedQuote | null,
    failed: { errors?: FormError[]; entered?: Record<string, string> } = {},
  ): Promise<void> {
    return this.screens.question(exchange, view, 'amount', 'hosted/steps/offer-amount', {
      titleKey: 'steps.amount.title',
      backHref: '/hosted/offers',
      scripts: ['loan-amount.js'],
      languageReturn: offerPath(offer.offerId),
      ...failed,
      lenderName: offer.lenderName,
      collateralExplanation: offer.terms.collateralExplanation,
      least: formatRupees(offer.minimumAmount),
      most: formatRupees(offer.amount),
      // The sign stands before the field.
      loanAmount: quote && formatRupees(quote.selection.loanAmount).replace('₹', ''),
      figures: quote && loanFigures(quote, this.screens.languageOf(exchange)),
      figuresHref: offerPath(offer.offerId),
    });
  }
}
