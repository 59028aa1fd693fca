import { Controller, Get } from '@nestjs/common';
import { HostedConfirmation, type HostedJourneyView } from '../../journeys/index.js';
import { FormPost, Page, type SeeOther } from '../../platform/index.js';
import { amountModel, readAmount } from './amount-form.js';
import { CHECK, screenOf, ScreenRedirect, stopHref, TO_CURRENT_SCREEN } from './current-screen.js';
import { AnyJourney, type JourneyVisit, SignedIn } from './signed-in.js';

@Controller('hosted/amount')
@SignedIn()
export class AmountController {
  constructor(private readonly confirmation: HostedConfirmation) {}

  @Get()
  show(@AnyJourney() { view }: JourneyVisit): Promise<Page> {
    requireOpen(view);
    return this.page(view);
  }

  @FormPost()
  async submit(@AnyJourney() { view, session, request }: JourneyVisit): Promise<Page | SeeOther> {
    requireOpen(view);
    const amount = readAmount(request, await this.confirmation.amountQuestion(view));
    if (typeof amount !== 'number') return this.page(view, amount);
    await this.confirmation.submitAmount(session, amount);
    return TO_CURRENT_SCREEN;
  }

  private async page(view: HostedJourneyView, more: object = {}): Promise<Page> {
    const question = await this.confirmation.amountQuestion(view);
    const mayGoBack = screenOf(view) === CHECK;
    return new Page('entry/amount', {
      ...amountModel(question),
      stopHref: stopHref(view),
      ...(mayGoBack && { backHref: CHECK }),
      ...more,
    });
  }
}

/** @throws ScreenRedirect once the lenders are asked, and before the consent if the amount is known */
function requireOpen(view: HostedJourneyView): void {
  const isKnown = view.loanAmountSource !== 'DEFAULT';
  if (view.isConfirmed || (isKnown && !view.consent)) throw new ScreenRedirect(screenOf(view));
}
