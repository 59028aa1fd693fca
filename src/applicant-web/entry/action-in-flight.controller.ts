import { Controller, Get } from '@nestjs/common';
import { HostedJourneys } from '../../journeys/index.js';
import { Clock, Page } from '../../platform/index.js';
import { ScreenRedirect } from './screen-redirect.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

const RELOAD_SECONDS = 1;

/** A repeated press waits here while the first is recorded. */
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
    return new Page('entry/moment', {
      titleKey: 'entry.moment.title',
      refreshSeconds: RELOAD_SECONDS,
    });
  }
}
