import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HostedJourneys } from '../../journeys/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { StepScreens } from './step-screens.js';

/** Everything is signed: the lender pays out, and the page waits. */
@Controller('hosted/disbursement')
@SignedIn()
export class DisbursementController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly screens: StepScreens,
  ) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/disbursement');
    await this.screens.show({ request, response }, 'hosted/steps/disbursement', {
      titleKey: 'steps.disbursement.title',
      refreshSeconds: view.pollIntervalSeconds,
      lenderName: view.selected?.offer.lenderName,
      netDisbursed: view.selected?.selection.netDisbursed,
      maskedNumber: view.bankAccount?.maskedNumber,
    });
  }
}
