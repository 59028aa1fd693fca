import { Controller, Get } from '@nestjs/common';
import { HostedJourneys } from '../../journeys/index.js';
import {
  Clock,
  formatRupees,
  type Language,
  type Page,
  PageLanguage,
} from '../../platform/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { paidOutLoan } from './paid-out-loan.js';
import { stepPage } from './step-pages.js';

@Controller('hosted/done')
@SignedIn()
export class DoneController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly clock: Clock,
  ) {}

  @Get()
  async done(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/done');
    const loan = paidOutLoan(view, this.clock.now(), language);
    return stepPage('steps/done', {
      titleKey: 'steps.done.heading',
      titleValues: { net: formatRupees(loan.netDisbursed) },
      ...loan,
      returnUrl: view.returnUrl,
    });
  }
}
