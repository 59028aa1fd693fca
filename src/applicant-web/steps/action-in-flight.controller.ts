import { Controller, Get } from '@nestjs/common';
import { HostedJourneys } from '../../journeys/index.js';
import { Clock, type Page } from '../../platform/index.js';
import { ScreenRedirect } from '../entry/screen-redirect.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { stepPage } from './step-pages.js';

const RELOAD_SECONDS = 1;

/** Where a second press leads while the first one is being recorded: it waits, and repeats nothing. */
@Controller('hosted/moment')
@SignedIn()
export class ActionInFlightController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@HostedSession() session: HostedSessionValue): Promise<Page> {
    const { leaseUntil } = await this.hosted.read(session);
    if (leaseUntil === null || leaseUntil <= this.clock.now()) throw new ScreenRedirect('/hosted');
    return stepPage('hosted/steps/moment', {
      titleKey: 'steps.moment.title',
      refreshSeconds: RELOAD_SECONDS,
    });
  }
}
