import { Controller, Get, Injectable, Param, type PipeTransform, Query } from '@nestjs/common';
import { PagePartners } from '../../auth/index.js';
import {
  InstantLoanPages,
  type InstantLoanView,
  isToCompare,
  isToPay,
} from '../../instant-loans/index.js';
import type { OfferOrder } from '../../matching/index.js';
import {
  AnswersWithScreens,
  enteredIn,
  FormPost,
  LeaveTo,
  nameOnPages,
  Page,
  readForm,
  type ScreenModel,
  SeeOther,
} from '../../platform/index.js';
import { ReadKeyFactsForm } from '../acknowledgement-page.js';
import { CurrentLink, type LinkVisit } from '../entry/signed-in.js';
import { orderIn } from '../offers/offer-order.js';
import { askingPart, chooseScreen, noOfferPage, offersPage } from './choose-screen.js';
import { goneScreen, payScreen } from './pay-screen.js';
import { statusPage } from './status-screens.js';

@Injectable()
class NamePartnerOfLoan implements PipeTransform<LinkVisit, LinkVisit> {
  constructor(
    private readonly pages: InstantLoanPages,
    private readonly partners: PagePartners,
  ) {}

  transform(visit: LinkVisit): LinkVisit {
    const { token, request } = visit;
    nameOnPages(request, async () => {
      const partnerId = await this.pages.partnerOf(token);
      const partner = partnerId === null ? null : await this.partners.of(partnerId);
      return partner && { ...partner, dataHref: `/pay/${token}/data` };
    });
    return visit;
  }
}

/** A visit by an instant loan's link. Its pages name the partner. */
export const LoanLink = () => CurrentLink(NamePartnerOfLoan);

/** The link is the only proof; neither it nor the pages name a person. */
@Controller('pay')
@AnswersWithScreens()
export class InstantLoanPagesController {
  constructor(private readonly pages: InstantLoanPages) {}

  /** Changes nothing, so that a messenger's link preview orders no payment. */
  @Get(':token')
  async show(
    @LoanLink() { token, language }: LinkVisit,
    @Query('by') by: unknown,
  ): Promise<Page | SeeOther> {
    const order = orderIn(by);
    const view = await this.pages.view(token, language, { order });
    const page = beforePayment(view, { order });
    if (page) return page;
    if (view.stage === 'OFFERS') return offersPage(view);
    return new SeeOther(`${view.payPath}/done`);
  }

  @FormPost(':token')
  async pay(
    @LoanLink() { token, language, request }: LinkVisit,
  ): Promise<Page | SeeOther | LeaveTo> {
    const { isValid: hasRead, errors } = readForm(request, ReadKeyFactsForm);
    const { keyFactsHash = '' } = enteredIn(request);
    const visit = await this.pages.pay(token, { hasRead, keyFactsHash, language });
    if (visit.kind === 'GATEWAY') return new LeaveTo(visit.url, new URL(visit.url).hostname);
    const view = await this.pages.view(token, language);
    const done = new SeeOther(`${view.payPath}/done`);
    switch (visit.kind) {
      case 'NOTHING_TO_PAY':
        return done;
      case 'UNAGREED':
        return beforePayment(view, { more: { errors } }) ?? done;
      case 'OTHER_CHOICE':
        return beforePayment(view, { more: { hasChanged: true }, status: 409 }) ?? done;
      case 'UNAVAILABLE':
        return beforePayment(view, { more: { isUnavailable: true }, status: 503 }) ?? done;
    }
  }

  @Get(':token/offers')
  async compare(
    @LoanLink() { token, language }: LinkVisit,
    @Query('by') by: unknown,
  ): Promise<Page | SeeOther> {
    const order = orderIn(by);
    const view = await this.pages.view(token, language, { order, isBeside: true });
    if (!isToCompare(view)) return new SeeOther(view.payPath);
    return new Page('instant/choose', chooseScreen(view, order));
  }

  @FormPost(':token/offers')
  async openOffers(@LoanLink() { token }: LinkVisit): Promise<SeeOther> {
    await this.pages.open(token);
    return new SeeOther(`/pay/${token}`);
  }

  @FormPost(':token/choice')
  async choose(
    @LoanLink() { token, language, request }: LinkVisit,
    @Query('by') by: unknown,
  ): Promise<Page | SeeOther> {
    const { offerId = '' } = enteredIn(request);
    const order = orderIn(by);
    const press = await this.pages.choose(token, offerId, { language, order });
    if (press !== 'GONE') return new SeeOther(`/pay/${token}`);
    const view = await this.pages.view(token, language, { order });
    const shown = { order, more: { isGone: true }, status: 409 };
    return beforePayment(view, shown) ?? new SeeOther(view.payPath);
  }

  /** For a reload after a refused choice. */
  @Get(':token/choice')
  back(@Param('token') token: string): SeeOther {
    return new SeeOther(`/pay/${token}`);
  }

  @Get(':token/done')
  async done(@LoanLink() { token, language }: LinkVisit): Promise<Page | SeeOther> {
    const view = await this.pages.returned(token, language);
    if (view.stage === 'OFFERS' || isStillToOrder(view)) return new SeeOther(view.payPath);
    if (!view.hasOffer) return noOfferPage(view);
    if (view.stage === 'TO_CHOOSE') return new SeeOther(view.payPath);
    return statusPage(view, view.stage);
  }
}

interface Showing {
  readonly order?: OfferOrder;
  readonly more?: ScreenModel;
  readonly status?: number;
}

/** Null unless the applicant can choose or pay. */
function beforePayment(
  view: InstantLoanView,
  { order = 'APR', more, status }: Showing = {},
): Page | null {
  if (view.stage === 'TO_CHOOSE') {
    // The response to a form must not reload itself.
    const screen = { ...chooseScreen(view, order), ...(more ?? askingPart(view)) };
    return new Page('instant/choose', screen, status);
  }
  if (!isToPay(view)) return null;
  if (!view.canBeHad) return new Page('instant/gone', { ...goneScreen(view), ...more }, status);
  return new Page('instant/pay', { ...payScreen(view), ...more }, status);
}

function isStillToOrder(view: InstantLoanView): boolean {
  return isToPay(view) && !view.isOrdered;
}
