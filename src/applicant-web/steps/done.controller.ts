import { Controller, Get } from '@nestjs/common';
import { Clock, formatRupees, Page, PageFile } from '../../platform/index.js';
import { JourneyHere, type JourneyVisit, SignedIn } from '../entry/signed-in.js';
import { instalmentCalendar } from './calendar-file.js';
import { cannotPay } from './cannot-pay.js';
import { paidOutLoan } from './paid-out-loan.js';

const PATH = '/hosted/done';

@Controller(PATH)
@SignedIn()
export class DoneController {
  constructor(private readonly clock: Clock) {}

  @Get()
  done(@JourneyHere() { view }: JourneyVisit): Page {
    const loan = paidOutLoan(view, this.clock.now());
    return new Page('steps/done', {
      titleKey: 'steps.done.heading',
      titleValues: { net: formatRupees(loan.netDisbursed) },
      ...loan,
      returnUrl: view.returnUrl,
    });
  }

  @Get('instalments.ics')
  calendar(@JourneyHere() { view, language }: JourneyVisit): PageFile {
    const file = instalmentCalendar(view, this.clock.now(), language);
    const headers = {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="instalments.ics"',
    };
    return new PageFile(headers, Buffer.from(file));
  }

  @Get('cannot-pay')
  cannotPay(@JourneyHere() { view, language }: JourneyVisit): Page {
    return new Page('steps/cannot-pay', {
      titleKey: 'steps.done.cannotPay',
      backHref: PATH,
      ...cannotPay(view, language),
    });
  }
}
