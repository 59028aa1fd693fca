import { Controller, Get } from '@nestjs/common';
import { HostedJourneys, ShownComparisons } from '../../journeys/index.js';
import { Clock, type Language, type Page, PageLanguage } from '../../platform/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { furtherComplaint } from './further-complaint.js';
import { leftBehind } from './left-behind.js';
import { paidOutLoan } from './paid-out-loan.js';
import { rejectionTexts } from './rejection-texts.js';
import { stepPage } from './step-pages.js';
import { stoppedPage } from './stopped-page.js';

/** The last pages: a loan that was paid out, one that could not be had, one that was let lie. */
@Controller('hosted')
@SignedIn()
export class EndedController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly comparisons: ShownComparisons,
    private readonly clock: Clock,
  ) {}

  @Get('done')
  async done(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/done');
    return stepPage('hosted/steps/done', {
      titleKey: 'steps.done.title',
      ...paidOutLoan(view, this.clock.now(), language),
      returnUrl: view.returnUrl,
    });
  }

  @Get('rejected')
  async rejected(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/rejected');
    await this.comparisons.toApplicant(view, language);
    return stepPage('hosted/steps/rejected', {
      ...rejectionTexts(view.outcomeReason),
      lenderName: view.selected?.offer.lenderName,
      lenders: view.selected ? [] : view.lenders.map(({ name }) => name),
      grievance: view.selected?.offer.terms.grievanceOfficer,
      further: view.selected && furtherComplaint(view.selected.offer.terms),
      returnUrl: view.returnUrl,
      ...(await leftBehind(this.hosted, session, language)),
    });
  }

  @Get('abandoned')
  async abandoned(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/abandoned');
    const left = await leftBehind(this.hosted, session, language);
    if (view.outcomeReason === 'CONSENT_WITHDRAWN') return stoppedPage(view.returnUrl, left);
    return stepPage('hosted/steps/abandoned', {
      titleKey: 'steps.abandoned.title',
      leadKey: 'steps.abandoned.lead',
      returnUrl: view.returnUrl,
      ...left,
    });
  }
}
