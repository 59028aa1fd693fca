import { Controller, Get } from '@nestjs/common';
import { FeePayments } from '../../instant-loans/index.js';
import { formatRupees, type Page, say, sayDateTime } from '../../platform/index.js';
import { JourneyHere, type JourneyVisit, SignedIn } from '../entry/signed-in.js';
import { shortName } from '../offers/offer-card.js';
import { refundText } from './lined-up-charges.js';
import { questionPage } from './step-pages.js';

@Controller('hosted/fee')
@SignedIn()
export class FeeController {
  constructor(private readonly payments: FeePayments) {}

  @Get()
  async show(@JourneyHere() { view, session }: JourneyVisit): Promise<Page> {
    const { fee, selected } = view;
    if (!fee || !selected) throw new Error('the fee has no chosen offer');
    const { offer, kfsUrl: kfsHref } = selected;
    const short = shortName(offer);
    const amount = formatRupees(fee.amount);
    const title = fee.isPaying ? 'steps.fee.checking' : 'steps.fee.title';
    const shown = {
      titleKey: title,
      titleValues: { amount, lender: short },
      titleText: say(title, { amount, lender: short }),
      shortName: short,
      href: fee.url,
    };
    if (fee.isPaying) {
      await this.payments.returned(session);
      return questionPage(view, 'fee', 'steps/checking', {
        ...shown,
        buttonKey: 'steps.fee.again',
        moments: [{ text: say('steps.checking'), isNow: true }],
        refreshSeconds: view.pollIntervalSeconds,
      });
    }
    return questionPage(view, 'fee', 'steps/fee', {
      ...shown,
      ...(fee.isTryFailed && { failure: say('steps.fee.failed') }),
      refund: refundText(fee, short),
      refundTone: fee.isKept ? 'warn' : undefined,
      until: say('steps.fee.until', { when: sayDateTime(fee.payUntil) }),
      button: say('steps.fee.button', { amount }),
      paymentPage: await this.payments.pageFor(offer.lenderCode),
      kfsHref,
    });
  }
}
