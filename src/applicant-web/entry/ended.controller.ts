import { Controller, Get } from '@nestjs/common';
import { HostedJourneys, ShownComparisons } from '../../journeys/index.js';
import { type Language, Page, PageLanguage } from '../../platform/index.js';
import { shortName } from '../short-name.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import { requireScreen } from './current-screen.js';
import { goldRows, leftBehind, owedIn } from './left-behind.js';
import { adviceRows, rejectionTexts } from './rejection-texts.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';
import { stoppedPage } from './stopped-page.js';

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
    const left = await leftBehind(this.hosted, session, language);
    const texts = rejectionTexts(view.outcomeReason);
    const offer = view.selected?.offer;
    const called = offer ? shortName(offer) : '';
    return new Page('entry/rejected', {
      titleKey: texts.titleKey,
      reasonKey: texts.reasonKey,
      called,
      owed: owedIn(left, language),
      advice: [...goldRows(left.walkOut, language), ...adviceRows(texts, called, language)],
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
  async abandoned(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/abandoned');
    const left = await leftBehind(this.hosted, session, language);
    const how = view.outcomeReason === 'CONSENT_WITHDRAWN' ? 'stopped' : 'closed';
    return stoppedPage(how, view.returnUrl, left, view.isConfirmed, language);
  }
}
