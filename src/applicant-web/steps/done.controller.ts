import { Controller, Get } from '@nestjs/common';
import { HostedJourneys } from '../../journeys/index.js';
import { Clock, formatRupees, Page, PageFile } from '../../platform/index.js';
import { readAt } from '../entry/current-screen.js';
import { CurrentVisit, SignedIn, type Visit } from '../entry/signed-in.js';
import { instalmentCalendar } from './calendar-file.js';
import { cannotPay } from './cannot-pay.js';
import { paidOutLoan } from './paid-out-loan.js';

const PATH = '/hosted/done';

@Controller(PATH)
@SignedIn()
export class DoneController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly clock: Clock,
  ) {}

  @Get()
  async done(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, PATH);
    const loan = paidOutLoan(view, this.clock.now(), language);
    return new Page('steps/done', {
      titleKey: 'steps.done.heading',
      titleValues: { net: formatRupees(loan.netDisbursed) },
      ...loan,
      returnUrl: view.returnUrl,
    });
  }

  @Get('instalments.ics')
  async calendar(@CurrentVisit() { session, language }: Visit): Promise<PageFile> {
    const view = await readAt(this.hosted, session, PATH);
    const file = instalmentCalendar(view, this.clock.now(), language);
    const headers = {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="instalments.ics"',
    };
    return new PageFile(headers, Buffer.from(file));
  }

  @Get('cannot-pay')
  async cannotPay(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, PATH);
    return new Page('steps/cannot-pay', {
      titleKey: 'steps.done.cannotPay',
      backHref: PATH,
      ...cannotPay(view, language),
    });
  }
}
