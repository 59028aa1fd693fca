import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { PagePartners } from '../../auth/index.js';
import {
  ChosenOffers,
  InstantLoanPages,
  type InstantLoanView,
  isToCompare,
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
  type ScreenModel,
  SeeOther,
} from '../../platform/index.js';
import { ReadKeyFactsForm } from '../steps/read-key-facts-form.js';
import {
  chooseScreen,
  noOfferScreen,
  offersScreen,
  payScreen,
  statusScreen,
} from './instant-loan-screens.js';
import { partnerOfLoan } from './partner-of-loan.js';

/**
 * The pages of an instant loan, for whoever has its link: the wait for the lenders, their offers side by side, what the
 * chosen one costs and the way to the payment, and afterwards how it stands. The link names no person, and the pages show none.
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
    const page = beforePayment(view, language);
    if (page) return page;
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
    const done = new SeeOther(`${view.payPath}/done`);
    switch (visit.kind) {
      case 'NOTHING_TO_PAY':
        return done;
      case 'UNAGREED':
        return beforePayment(view, language, { errors }) ?? done;
      case 'OTHER_CHOICE':
        return beforePayment(view, language, { hasChanged: true }, 409) ?? done;
      case 'UNAVAILABLE':
        return beforePayment(view, language, { isUnavailable: true }, 503) ?? done;
    }
  }

  /** The comparison beside a choice that is made; where there is none, the page that has its place. */
  @Get(':token/offers')
  async compare(
    @Param('token') token: string,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    this.namePartner(request, token);
    const view = found(await this.pages.compare(token, language));
    if (!isToCompare(view)) return new SeeOther(view.payPath);
    return new Page('instant-loans/choose', chooseScreen(view, language));
  }

  /** The same offer chosen twice is chosen once; the page is then that of the chosen one, with its fee. */
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
    return beforePayment(view, language, { isGone: true }, 409) ?? new SeeOther(view.payPath);
  }

  /** For a reload of the page that a refused choice has shown. */
  @Get(':token/choice')
  back(@Param('token') token: string): SeeOther {
    return new SeeOther(`/pay/${token}`);
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

/** The page on which an offer is chosen, or the chosen one paid for; null at any other stage. */
function beforePayment(
  view: InstantLoanView,
  language: Language,
  more: ScreenModel = {},
  status?: number,
): Page | null {
  if (view.stage === 'TO_CHOOSE')
    return new Page('instant-loans/choose', { ...chooseScreen(view, language), ...more }, status);
  if (!isToPay(view)) return null;
  return new Page('instant-loans/pay', { ...payScreen(view, language), ...more }, status);
}

/** Whoever has never gone on to the payment is not back from it. */
function isStillToOrder(view: InstantLoanView): boolean {
  return view.stage === 'TO_CHOOSE' || (isToPay(view) && !view.isOrdered);
}

/** @throws Fault link_not_found */
function found<Something>(something: Something | null): Something {
  if (something === null) throw new Fault('link_not_found');
  return something;
}
