import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { agreedLoan } from './agreed-loan.js';
import { REDIRECT_STEP_TEXTS, type RedirectStep } from './redirect-step-texts.js';
import { type Exchange, StepScreens } from './step-screens.js';

/** A provider is asked so often before a step counts as failed. */
const MAX_TRIES = 3;

/** KYC, mandate and signature: what will happen at the provider, and the link that leads there. */
@Controller('hosted')
@SignedIn()
export class RedirectStepsController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly screens: StepScreens,
  ) {}

  @Get('kyc')
  kyc(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.show({ request, response }, session, 'KYC');
  }

  @Get('mandate')
  mandate(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.show({ request, response }, session, 'MANDATE');
  }

  @Get('esign')
  esign(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.show({ request, response }, session, 'ESIGN');
  }

  private async show(
    exchange: Exchange,
    session: HostedSessionValue,
    step: RedirectStep,
  ): Promise<void> {
    const texts = REDIRECT_STEP_TEXTS[step];
    const view = await this.hosted.read(session);
    requireScreen(view, texts.path);
    if (!view.redirect || !view.selected) throw new Error('a redirect step has a redirect');
    const { url, attempt, isDeciding } = view.redirect;
    await this.screens.question(exchange, view, texts.page, 'hosted/steps/redirect-step', {
      ...texts,
      ...this.agreed(exchange, view, step),
      lenderName: view.selected.offer.lenderName,
      maskedNumber: view.bankAccount?.maskedNumber,
      isChecking: isDeciding,
      hasFailed: attempt > 1 && !isDeciding,
      triesLeft: MAX_TRIES + 1 - attempt,
      href: url,
      ...(isDeciding && { refreshSeconds: view.pollIntervalSeconds }),
    });
  }

  /** Before a mandate stands what is collected, before a signature what is signed. */
  private agreed(exchange: Exchange, view: HostedJourneyView, step: RedirectStep) {
    if (!view.selected || step === 'KYC') return {};
    const { instalmentRows, signedRows } = agreedLoan(
      view.selected,
      this.screens.languageOf(exchange),
    );
    return step === 'MANDATE'
      ? { rows: instalmentRows }
      : { rows: signedRows, kfsHref: view.selected.kfsUrl, hash: view.selected.keyFactsHash };
  }
}
