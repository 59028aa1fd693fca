import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import { CsrfProtected, enteredIn, Screens } from '../../platform/index.js';
import { applicantRows, loanRows } from './check-rows.js';
import { CURRENT_SCREEN } from './screen-redirect.js';
import { questionOf } from '../question-count.js';
import { requireScreen } from './current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

const HERE = '/hosted/check';

/** Check your answers: its button, and nothing before it, asks the lenders. */
@Controller('hosted/check')
@SignedIn()
export class CheckController {
  constructor(
    private readonly screens: Screens,
    private readonly hosted: HostedJourneys,
  ) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.page(request, response, await this.hosted.read(session), false);
  }

  @Post()
  @HttpCode(200)
  @CsrfProtected()
  async confirm(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { shown = '' } = enteredIn(request);
    const outcome = await this.hosted.confirm(session, shown);
    if (outcome !== 'DETAILS_CHANGED') {
      response.redirect(303, CURRENT_SCREEN);
      return;
    }
    // Another tab has changed them: what is confirmed is what was read.
    await this.page(request, response, await this.hosted.read(session), true);
  }

  private async page(
    request: Request,
    response: Response,
    view: HostedJourneyView,
    hasChanged: boolean,
  ): Promise<void> {
    requireScreen(view, HERE);
    const language = this.screens.languageOf(request);
    await this.screens.render(request, response, 'hosted/entry/check', {
      titleKey: 'entry.check.title',
      question: questionOf(view, 'check'),
      loan: loanRows(view, language),
      applicant: view.applicant ? applicantRows(view.applicant, language) : [],
      shown: view.detailsHash,
      hasChanged,
    });
  }
}
