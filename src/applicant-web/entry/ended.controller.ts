import { Controller, Get } from '@nestjs/common';
import { HostedJourneys, type HostedJourneyView, ShownComparisons } from '../../journeys/index.js';
import { Page } from '../../platform/index.js';
import { shortName } from '../short-names.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import { readAt } from './current-screen.js';
import { goldRows, leftBehind, owedIn, stoppedPage } from './left-behind.js';
import { adviceRows, rejectionTexts } from './rejection-texts.js';
import { CurrentVisit, SignedIn, type Visit } from './signed-in.js';

@Controller('hosted')
@SignedIn()
export class EndedController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly comparisons: ShownComparisons,
  ) {}

  @Get('rejected')
  async rejected(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, '/hosted/rejected');
    await this.comparisons.toApplicant(view, language);
    const left = await leftBehind(this.hosted, session, language);
    const texts = rejectionTexts(view.outcomeReason);
    const offer = view.selected?.offer;
    const called = offer ? shortName(offer) : '';
    return new Page('entry/rejected', {
      titleKey: texts.titleKey,
      reasonKey: texts.reasonKey,
      called,
      owed: owedIn(left, language),
      advice: [
        ...left.paidFee,
        ...goldRows(left.walkOut, language),
        ...adviceRows(texts, called, language),
      ],
      mandates: left.mandates,
      lenders: view.lenders.map(({ name }) => name),
      ...(offer && {
        lenderName: offer.lenderName,
        officer: offer.terms.grievanceOfficer,
        further: furtherComplaint(offer.terms),
      }),
      returnUrl: view.returnUrl,
    });
  }

  @Get('abandoned')
  async abandoned(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, '/hosted/abandoned');
    const left = await leftBehind(this.hosted, session, language);
    return stoppedPage(howEnded(view), view.returnUrl, left, view.isConfirmed, language);
  }
}

function howEnded({ outcomeReason }: HostedJourneyView): Parameters<typeof stoppedPage>[0] {
  if (outcomeReason === 'CONSENT_WITHDRAWN') return 'stopped';
  return outcomeReason === 'PAYMENT_EXPIRED' ? 'unpaid' : 'closed';
}
