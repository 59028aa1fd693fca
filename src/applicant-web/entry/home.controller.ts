import { Controller, Get, Param, Redirect } from '@nestjs/common';
import { isRedirectStep } from '../../journey-steps/index.js';
import { HostedJourneys } from '../../journeys/index.js';
import { Fault } from '../../platform/index.js';
import { CURRENT_SCREEN } from './screen-redirect.js';
import { screenOf } from './current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

interface Destination {
  readonly url: string;
  readonly statusCode: 303;
}

/** Where am I: the two addresses that only ever lead on. */
@Controller('hosted')
@SignedIn()
export class HomeController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  @Redirect()
  async whereAmI(@HostedSession() session: HostedSessionValue): Promise<Destination> {
    return { url: screenOf(await this.hosted.read(session)), statusCode: 303 };
  }

  /** Providers send the applicant back here: a signal, never proof, so the provider is asked. */
  @Get('returned/:step')
  @Redirect()
  async returned(
    @Param('step') given: string,
    @HostedSession() session: HostedSessionValue,
  ): Promise<Destination> {
    if (!isRedirectStep(given)) throw new Fault('route_not_found');
    await this.hosted.returned(session, given);
    return { url: CURRENT_SCREEN, statusCode: 303 };
  }
}
