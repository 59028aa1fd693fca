import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  REDIRECT_DEFINITIONS,
  redirectDefinition,
  type RedirectStep,
} from '../../journey-steps/index.js';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { agreedLoan } from './agreed-loan.js';
import { type Exchange, StepScreens } from './step-screens.js';

/** The redirect steps: what will happen at the provider, and the link that leads there. */
@Controller('hosted')
@SignedIn()
export class RedirectStepsController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly screens: StepScreens,
  ) {}

  /** One address a step. */
  @Get(REDIRECT_DEFINITIONS.map(({ page }) => page))
  async show(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const exchange = { request, response };
    const view = await this.hosted.read(session);
    const { path } = request.route as { path: string };
    requireScreen(view, path);
    if (!view.redirect || !view.selected) throw new Error('a redirect step has a redirect');
    const { step, url, attempt, isDeciding } = view.redirect;
    const { page, textKeys, maxTries } = redirectDefinition(step);
    await this.screens.question(exchange, view, page, 'hosted/steps/redirect-step', {
      titleKey: textKeys.title,
      leadKey: textKeys.lead,
      listKeys: [textKeys.leave, textKeys.act, textKeys.back],
      whyKey: textKeys.why,
      buttonKey: textKeys.button,
      againKey: textKeys.again,
      failedKey: textKeys.failed,
      checkingKey: textKeys.checking,
      ...this.agreed(exchange, view, step),
      lenderName: view.selected.offer.lenderName,
      maskedNumber: view.bankAccount?.maskedNumber,
      isChecking: isDeciding,
      hasFailed: attempt > 1 && !isDeciding,
      triesLeft: maxTries + 1 - attempt,
      href: url,
      ...(isDeciding && { refreshSeconds: view.pollIntervalSeconds }),
    });
  }

  /** Before a mandate stands what is collected, before a signature what is signed. */
  private agreed(exchange: Exchange, view: HostedJourneyView, step: RedirectStep) {
    const { shows } = redirectDefinition(step);
    if (!view.selected || shows === 'NOTHING') return {};
    const { instalmentRows, signedRows } = agreedLoan(
      view.selected,
      this.screens.languageOf(exchange),
    );
    return shows === 'INSTALMENT'
      ? { rows: instalmentRows }
      : { rows: signedRows, kfsHref: view.selected.kfsUrl, hash: view.selected.keyFactsHash };
  }
}
