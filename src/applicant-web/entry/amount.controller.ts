import { Controller, Get } from '@nestjs/common';
import {
  HostedJourneys,
  type HostedJourneyView,
  type HostedSessionValue,
} from '../../journeys/index.js';
import { FormPost, Page, SeeOther } from '../../platform/index.js';
import { amountModel, readAmount } from './amount-form.js';
import { CHECK, CURRENT_SCREEN, screenOf, ScreenRedirect, stopHref } from './current-screen.js';
import { CurrentVisit, SignedIn, type Visit } from './signed-in.js';

@Controller('hosted/amount')
@SignedIn()
export class AmountController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(@CurrentVisit() { session }: Visit): Promise<Page> {
    return this.page(await this.open(session));
  }

  @FormPost()
  async submit(@CurrentVisit() { session, request }: Visit): Promise<Page | SeeOther> {
    const view = await this.open(session);
    const amount = readAmount(request, await this.hosted.amountQuestion(view));
    if (typeof amount !== 'number') return this.page(view, amount);
    await this.hosted.submitAmount(session, amount);
    return new SeeOther(CURRENT_SCREEN);
  }

  private async page(view: HostedJourneyView, more: object = {}): Promise<Page> {
    const question = await this.hosted.amountQuestion(view);
    const mayGoBack = screenOf(view) === CHECK;
    return new Page('entry/amount', {
      ...amountModel(question),
      stopHref: stopHref(view),
      ...(mayGoBack && { backHref: CHECK }),
      ...more,
    });
  }

  /**
   * @throws ScreenRedirect once the lenders are asked, and before the consent if the amount is
   * known
   */
  private async open(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    const isKnown = view.loanAmountSource !== 'DEFAULT';
    if (view.isConfirmed || (isKnown && !view.consent)) throw new ScreenRedirect(screenOf(view));
    return view;
  }
}
