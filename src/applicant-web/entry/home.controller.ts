import { Controller, Get, Param } from '@nestjs/common';
import { isRedirectStep } from '../../journey-steps/index.js';
import { HostedJourneys } from '../../journeys/index.js';
import { Fault, SeeOther } from '../../platform/index.js';
import { CURRENT_SCREEN } from './screen-redirect.js';
import { screenOf } from './current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

/** Where am I: the two addresses that only ever lead on. */
@Controller('hosted')
@SignedIn()
export class HomeController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async whereAmI(@HostedSession() session: HostedSessionValue): Promise<SeeOther> {
    return new SeeOther(screenOf(await this.hosted.read(session)));
  }

  /** Providers send the applicant back here: a signal, never proof, so the provider is asked. */
  @Get('returned/:step')
  async returned(
    @Param('step') given: string,
    @HostedSession() session: HostedSessionValue,
  ): Promise<SeeOther> {
    if (!isRedirectStep(given)) throw new Fault('route_not_found');
    await this.hosted.returned(session, given);
    return new SeeOther(CURRENT_SCREEN);
  }
}
