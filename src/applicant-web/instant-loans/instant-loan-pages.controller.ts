import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { PagePartners } from '../../auth/index.js';
import {
  ChosenOffers,
  InstantLoanPages,
  type InstantLoanView,
  isToPay,
} from '../../instant-loans/index.js';
import {
  AnswersWithScreens,
  CsrfProtected,
  enteredIn,
  Fault,
  type Language,
  LeaveTo,
  nameOnPages,
  Page,
  PageLanguage,
  readForm,
  SeeOther,
} from '../../platform/index.js';
import { ReadKeyFactsForm } from '../steps/read-key-facts-form.js';
import { noOfferScreen, offersScreen, payScreen, statusScreen } from './instant-loan-screens.js';
import { partnerOfLoan } from './partner-of-loan.js';

/**
 * The pages of an instant loan, for whoever has its link: the wait for the lenders, what the loan costs
 * and the way to the payment, and afterwards how it stands. The link names no person, and the pages show none.
 */
@Controller('pay')
@AnswersWithScreens()
export class InstantLoanPagesController {
  constructor(
    private readonly pages: InstantLoanPages,
    private readonly choices: ChosenOffers,
    private readonly partners: PagePartners,
  ) {}

  /** Looking changes nothing: a preview of the link in a messenger orders no payment. */
  @Get(':token')
  async show(
    @Param('token') token: string,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    this.namePartner(request, token);
    const view = found(await this.pages.view(token, language));
    if (isToPay(view)) return new Page('instant-loans/pay', payScreen(view, language));
    if (view.stage === 'OFFERS')
      return new Page('instant-loans/offers', offersScreen(view, language));
    return new SeeOther(`${view.payPath}/done`);
  }

  @Post(':token')
  @HttpCode(200)
  @CsrfProtected()
  async pay(
    @Param('token') token: string,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther | LeaveTo> {
    this.namePartner(request, token);
    const { isValid: hasRead, errors } = readForm(request, ReadKeyFactsForm);
    const { keyFactsHash = '' } = enteredIn(request);
    const visit = found(await this.pages.pay(token, { hasRead, keyFactsHash, language }));
    if (visit.kind === 'GATEWAY') return new LeaveTo(visit.url, new URL(visit.url).hostname);
    const view = found(await this.pages.view(token, language));
    if (visit.kind === 'NOTHING_TO_PAY' || !isToPay(view)) {
      return new SeeOther(`${view.payPath}/done`);
    }
    const screen = payScreen(view, language);
    if (visit.kind === 'UNAGREED') return new Page('instant-loans/pay', { ...screen, errors });
    if (visit.kind === 'OTHER_CHOICE')
      return new Page('instant-loans/pay', { ...screen, hasChanged: true }, 409);
    return new Page('instant-loans/pay', { ...screen, isUnavailable: true }, 503);
  }

  /** The same offer chosen twice is chosen once; the page is then that of the chosen one. */
  @Post(':token/choice')
  @HttpCode(200)
  @CsrfProtected()
  async choose(
    @Param('token') token: string,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    this.namePartner(request, token);
    const { offerId = '' } = enteredIn(request);
    const press = found(await this.choices.choose(token, offerId, language));
    if (press === 'CLOSING') return new SeeOther(`/pay/${token}/done`);
    if (press !== 'GONE') return new SeeOther(`/pay/${token}`);
    const view = found(await this.pages.view(token, language));
    if (!isToPay(view)) return new SeeOther(view.payPath);
    return new Page('instant-loans/pay', { ...payScreen(view, language), isGone: true }, 409);
  }

  @Get(':token/done')
  async done(
    @Param('token') token: string,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    this.namePartner(request, token);
    const view = found(await this.pages.returned(token, language));
    if (view.stage === 'OFFERS' || isStillToOrder(view)) return new SeeOther(view.payPath);
    if (view.hasOffer) return new Page('instant-loans/status', statusScreen(view, language));
    return new Page('instant-loans/no-offer', noOfferScreen(view, language));
  }

  private namePartner(request: Request, token: string): void {
    nameOnPages(request, () => partnerOfLoan(token, this.pages, this.partners));
  }
}

/** Whoever has never gone on to the payment is not back from it. */
function isStillToOrder(view: InstantLoanView): boolean {
  return isToPay(view) && !view.isOrdered;
}

/** @throws Fault link_not_found */
function found<Something>(something: Something | null): Something {
  if (something === null) throw new Fault('link_not_found');
  return something;
}
