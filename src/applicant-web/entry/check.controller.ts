import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  CsrfProtected,
  enteredIn,
  formatRupees,
  type Language,
  Page,
  PageLanguage,
  SeeOther,
  translate,
} from '../../platform/index.js';
import { inLanguage, ServiceSettings } from '../../settings/index.js';
import { checkRows } from './check-rows.js';
import { CURRENT_SCREEN } from './screen-redirect.js';
import { questionOf } from '../question-count.js';
import { ALL_DETAILS, CHECK, requireScreen, stopHref } from './current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

/** Only this page's button asks the lenders. */
@Controller('hosted/check')
@SignedIn()
export class CheckController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly settings: ServiceSettings,
  ) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    return this.page(await this.hosted.read(session), language, false);
  }

  @Post()
  @HttpCode(200)
  @CsrfProtected()
  async confirm(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    const { shown = '' } = enteredIn(request);
    const outcome = await this.hosted.confirm(session, shown);
    if (outcome !== 'DETAILS_CHANGED') return new SeeOther(CURRENT_SCREEN);
    // Another tab changed the details: what was read is what is confirmed.
    return this.page(await this.hosted.read(session), language, true);
  }

  /** @throws ScreenRedirect unless the journey is at this page */
  private async page(
    view: HostedJourneyView,
    language: Language,
    hasChanged: boolean,
  ): Promise<Page> {
    requireScreen(view, CHECK);
    const { goldOrnamentGrams, goldCoinGrams } = await this.settings.operating();
    const { applicant } = view;
    return new Page('entry/check', {
      titleKey: 'entry.check.title',
      question: questionOf(view, 'check'),
      product: inLanguage(view.productTexts, language, view.productName),
      amount: formatRupees(view.loanAmount),
      ...(applicant && checkRows(applicant, language)),
      goldLimits: translate(language, 'entry.check.goldLimits', {
        ornaments: goldOrnamentGrams.toLocaleString('en-IN'),
        coins: goldCoinGrams.toLocaleString('en-IN'),
      }),
      changeHref: ALL_DETAILS,
      stopHref: stopHref(view),
      shown: view.detailsHash,
      hasChanged,
    });
  }
}
