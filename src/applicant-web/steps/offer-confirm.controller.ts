import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { HostedQuote } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import {
  CsrfProtected,
  enteredIn,
  type FormError,
  FormField,
  readForm,
  Rule,
} from '../../platform/index.js';
import { ScreenRedirect } from '../entry/screen-redirect.js';
import { requireStamp } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { amountIn, amountPath, confirmPath, rupeesText } from './chosen-amount.js';
import { offerPath } from './compared-offers.js';
import { DraftAddresses } from './draft-addresses.js';
import { keyFactsSummary } from './key-facts-summary.js';
import { OfferLookup, type OpenOffer } from './offer-lookup.js';
import { type Exchange, StepScreens } from './step-screens.js';

/** The applicant's word that they have read the statement. */
class ConfirmForm {
  @Rule('ticked', (value) => value === true, 'steps.confirm.unread')
  @FormField({ as: 'checkbox', wrong: 'steps.confirm.unread' })
  hasRead: boolean;
}

/** What the page is shown again with. */
interface ShownAgain {
  readonly errors?: readonly FormError[];
  /** The statement is another one than before. */
  readonly hasChanged?: boolean;
}

/**
 * The Key Facts Statement of an offer for the chosen amount, and the word that binds. The form
 * has the hash of the statement that it stands under: no other one can be agreed to with it.
 */
@Controller('hosted/offers/:offerId/confirm')
@SignedIn()
export class OfferConfirmController {
  constructor(
    private readonly lookup: OfferLookup,
    private readonly drafts: DraftAddresses,
    private readonly screens: StepScreens,
  ) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @Param('offerId') offerId: string,
    @Query('amount') text: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const open = await this.lookup.open(session, offerId);
    await this.showStatement({ request, response }, session, open, amountOf(open, text));
  }

  @Post()
  @CsrfProtected()
  async confirm(
    @HostedSession() session: HostedSessionValue,
    @Param('offerId') offerId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const exchange = { request, response };
    const open = await this.lookup.open(session, offerId);
    const { shown, amount: text, keyFactsHash = '', keyFactsIssuedAt = '' } = enteredIn(request);
    requireStamp(open.view, shown);
    const amount = amountOf(open, text);
    const form = readForm(request, ConfirmForm);
    if (!form.isValid) {
      const { errors } = form;
      await this.showStatement(exchange, session, open, amount, { errors });
      return;
    }
    const choice = { loanAmount: amount, keyFactsHash, keyFactsIssuedAt };
    const retryHref = confirmPath(offerId, amount);
    const outcome = await this.lookup.choose(exchange, session, open, choice, retryHref);
    if (outcome === 'CHANGED') {
      response.status(409);
      await this.showStatement(exchange, session, open, amount, { hasChanged: true });
    } else if (outcome === 'CHOSEN') {
      response.redirect(303, '/hosted');
    }
  }

  private async showStatement(
    exchange: Exchange,
    session: HostedSessionValue,
    open: OpenOffer,
    amount: Paise,
    again: ShownAgain = {},
  ): Promise<void> {
    const retryHref = confirmPath(open.offer.offerId, amount);
    const quote = await this.lookup.quote(exchange, session, open, amount, retryHref);
    if (quote) await this.render(exchange, open, quote, again);
  }

  private render(
    exchange: Exchange,
    { view, offer: { offerId } }: OpenOffer,
    quote: HostedQuote,
    again: ShownAgain,
  ): Promise<void> {
    const { loanAmount } = quote.selection;
    return this.screens.question(exchange, view, 'confirm', 'hosted/steps/offer-confirm', {
      titleKey: 'steps.confirm.title',
      backHref: amountPath(offerId, loanAmount),
      languageReturn: confirmPath(offerId, loanAmount),
      ...again,
      ...keyFactsSummary(quote, this.screens.languageOf(exchange)),
      amount: rupeesText(loanAmount),
      action: `${offerPath(offerId)}/confirm`,
      keyFactsHash: quote.keyFactsHash,
      keyFactsIssuedAt: quote.keyFactsIssuedAt,
      statementHref: this.drafts.pathOf(offerId, loanAmount, quote.keyFactsIssuedAt),
    });
  }
}

/** @throws ScreenRedirect to the page of the amount when there is none that the offer covers */
function amountOf({ offer }: OpenOffer, text: unknown): Paise {
  const amount = amountIn(offer, text);
  if (amount === null) throw new ScreenRedirect(offerPath(offer.offerId));
  return amount;
}
