import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HostedJourneys } from '../../journeys/index.js';
import { Clock } from '../../platform/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { paidOutLoan } from './paid-out-loan.js';
import { rejectionTexts } from './rejection-texts.js';
import { StepScreens } from './step-screens.js';

/** The last pages: a loan that was paid out, one that could not be had, one that was let lie. */
@Controller('hosted')
@SignedIn()
export class EndedController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly screens: StepScreens,
    private readonly clock: Clock,
  ) {}

  @Get('done')
  async done(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const exchange = { request, response };
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/done');
    await this.screens.show(exchange, 'hosted/steps/done', {
      titleKey: 'steps.done.title',
      ...paidOutLoan(view, this.clock.now(), this.screens.languageOf(exchange)),
      returnUrl: view.returnUrl,
    });
  }

  @Get('rejected')
  async rejected(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/rejected');
    await this.screens.show({ request, response }, 'hosted/steps/rejected', {
      ...rejectionTexts(view.outcomeReason),
      lenderName: view.selected?.offer.lenderName,
      lenders: view.selected ? [] : view.lenders.map(({ name }) => name),
      grievance: view.selected?.offer.terms.grievanceOfficer,
      returnUrl: view.returnUrl,
    });
  }

  @Get('abandoned')
  async abandoned(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/abandoned');
    await this.screens.show({ request, response }, 'hosted/steps/abandoned', {
      titleKey: 'steps.abandoned.title',
      returnUrl: view.returnUrl,
    });
  }
}
