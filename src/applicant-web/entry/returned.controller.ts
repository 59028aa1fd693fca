import { Controller, Get, Param, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import { FeePayments } from '../../instant-loans/index.js';
import { isLinkedStep, isRedirectStep } from '../../journey-steps/index.js';
import { HostedJourneys } from '../../journeys/index.js';
import { AnswersWithScreens, Fault, Page, SeeOther } from '../../platform/index.js';
import { BrowserSessions } from './browser-sessions.js';
import { CURRENT_SCREEN, ScreenRedirectFilter } from './screen-redirect.js';
import { signedInSession } from './signed-in.js';

/** A return proves nothing, so the provider is asked. */
@Controller('hosted/returned')
@UseFilters(ScreenRedirectFilter)
@AnswersWithScreens()
export class ReturnedController {
  constructor(
    private readonly browsers: BrowserSessions,
    private readonly hosted: HostedJourneys,
    private readonly fees: FeePayments,
  ) {}

  @Get(':step')
  async returned(@Param('step') given: string, @Req() request: Request): Promise<Page | SeeOther> {
    if (!isLinkedStep(given)) throw new Fault('route_not_found');
    // A provider's app may open a browser that is not signed in.
    if (this.browsers.tokenOf(request) === null) {
      return new Page('entry/elsewhere', { titleKey: 'entry.elsewhere.title' });
    }
    const session = await signedInSession(this.browsers, request);
    await (isRedirectStep(given)
      ? this.hosted.returned(session, given)
      : this.fees.returned(session));
    return new SeeOther(CURRENT_SCREEN);
  }
}
