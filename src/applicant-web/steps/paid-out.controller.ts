import { Controller, Get } from '@nestjs/common';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import { Clock, type Language, type Page, PageFile, PageLanguage } from '../../platform/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { cannotPay } from './cannot-pay.js';
import { instalmentCalendar } from './instalment-calendar.js';
import { stepPage } from './step-pages.js';

const PATH = '/hosted/done';

@Controller('hosted/done')
@SignedIn()
export class PaidOutController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly clock: Clock,
  ) {}

  @Get('instalments.ics')
  async calendar(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<PageFile> {
    const file = instalmentCalendar(await this.read(session), this.clock.now(), language);
    const headers = {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="instalments.ics"',
    };
    return new PageFile(headers, Buffer.from(file));
  }

  @Get('cannot-pay')
  async cannotPay(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    const view = await this.read(session);
    return stepPage('steps/cannot-pay', {
      titleKey: 'steps.done.cannotPay',
      backHref: PATH,
      ...cannotPay(view, language),
    });
  }

  private async read(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    requireScreen(view, PATH);
    return view;
  }
}
