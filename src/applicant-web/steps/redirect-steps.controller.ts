import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  REDIRECT_DEFINITIONS,
  redirectDefinition,
  type RedirectStep,
} from '../../journey-steps/index.js';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import { Clock, type Language, type Page, PageLanguage } from '../../platform/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { agreedLoan } from './agreed-loan.js';
import { mandateRows } from './mandate-rows.js';
import { questionPage } from './step-pages.js';

/** The redirect steps: what will happen at the provider, and the link that leads there. */
@Controller('hosted')
@SignedIn()
export class RedirectStepsController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly clock: Clock,
  ) {}

  /** One address a step. */
  @Get(REDIRECT_DEFINITIONS.map(({ page }) => page))
  async show(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    const { path } = request.route as { path: string };
    requireScreen(view, path);
    if (!view.redirect || !view.selected) throw new Error('a redirect step has a redirect');
    const { step, url, attempt, isDeciding, provider } = view.redirect;
    const { page, textKeys, maxTries, shows } = redirectDefinition(step);
    // Before the mandate its own rows say so.
    const mayHaveMandate = shows === 'AGREEMENT' || (shows === 'INSTALMENT' && isDeciding);
    return questionPage(view, page, 'hosted/steps/redirect-step', {
      titleKey: textKeys.title,
      leadKey: textKeys.lead,
      listKeys: [textKeys.leave, textKeys.act, textKeys.back],
      whyKey: textKeys.why,
      buttonKey: textKeys.button,
      againKey: textKeys.again,
      failedKey: textKeys.failed,
      checkingKey: textKeys.checking,
      ...agreed(view, step, this.clock.now(), language),
      ...(shows === 'INSTALMENT' && {
        collectsKey: 'steps.mandate.by.note',
        recoveryAgent: view.selected.offer.terms.recoveryAgentLsp,
      }),
      lenderName: view.selected.offer.lenderName,
      provider,
      maskedNumber: view.bankAccount?.maskedNumber,
      isChecking: isDeciding,
      ...(mayHaveMandate && { mandates: await this.hosted.possibleMandates(session) }),
      hasFailed: attempt > 1 && !isDeciding,
      triesLeft: maxTries + 1 - attempt,
      href: url,
      ...(isDeciding && { refreshSeconds: view.pollIntervalSeconds }),
    });
  }
}

/** Before a mandate stands what is collected, before a signature what is signed. */
function agreed(view: HostedJourneyView, step: RedirectStep, now: Date, language: Language) {
  const { shows } = redirectDefinition(step);
  if (!view.selected || shows === 'NOTHING') return {};
  if (shows === 'INSTALMENT')
    return { rows: mandateRows(view.selected, view.bankAccount, now, language) };
  const { signedRows } = agreedLoan(view.selected, language);
  const { kfsUrl: kfsHref, keyFactsHash: hash } = view.selected;
  return { rows: signedRows, kfsHref, hash };
}
