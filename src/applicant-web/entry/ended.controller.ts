import { Controller, Get } from '@nestjs/common';
import { HostedJourneys, ShownComparisons } from '../../journeys/index.js';
import { type Language, type Page, PageLanguage } from '../../platform/index.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import { leftBehind } from '../steps/left-behind.js';
import { rejectionTexts } from '../steps/rejection-texts.js';
import { stepPage } from '../steps/step-pages.js';
import { stoppedPage } from '../steps/stopped-page.js';
import { requireScreen } from './current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

/** The last pages of an application without a loan: it was rejected, stopped or left alone. */
@Controller('hosted')
@SignedIn()
export class EndedController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly comparisons: ShownComparisons,
  ) {}

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
