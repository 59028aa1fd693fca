import { Controller, Get } from '@nestjs/common';
import { FeePayments } from '../../instant-loans/index.js';
import { HostedJourneys } from '../../journeys/index.js';
import { formatDateTime, formatRupees, type Page, translate } from '../../platform/index.js';
import { readAt } from '../entry/current-screen.js';
import { CurrentVisit, SignedIn, type Visit } from '../entry/signed-in.js';
import { shortName } from '../offers/offer-card.js';
import { refundText } from './lined-up-charges.js';
import { questionPage } from './step-pages.js';

@Controller('hosted/fee')
@SignedIn()
export class FeeController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly payments: FeePayments,
  ) {}

  @Get()
  async show(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, '/hosted/fee');
    const { fee, selected } = view;
    if (!fee || !selected) throw new Error('the fee has no chosen offer');
    const { offer, kfsUrl: kfsHref } = selected;
    const short = shortName(offer);
    const amount = formatRupees(fee.amount);
    const title = fee.isPaying ? 'steps.fee.checking' : 'steps.fee.title';
    const shown = {
      titleKey: title,
      titleValues: { amount, lender: short },
      titleText: translate(language, title, { amount, lender: short }),
      shortName: short,
      href: fee.url,
    };
    if (fee.isPaying) {
      await this.payments.returned(session);
      return questionPage(view, 'fee', 'steps/checking', {
        ...shown,
        buttonKey: 'steps.fee.again',
        moments: [{ text: translate(language, 'steps.checking'), isNow: true }],
        refreshSeconds: view.pollIntervalSeconds,
      });
    }
    return questionPage(view, 'fee', 'steps/fee', {
      ...shown,
      ...(fee.isTryFailed && { failure: translate(language, 'steps.fee.failed') }),
      refund: refundText(fee, short, language),
      refundTone: fee.isKept ? 'warn' : undefined,
      until: translate(language, 'steps.fee.until', {
        when: formatDateTime(language, fee.payUntil),
      }),
      button: translate(language, 'steps.fee.button', { amount }),
      paymentPage: await this.payments.pageFor(offer.lenderCode),
      kfsHref,
    });
  }
}
