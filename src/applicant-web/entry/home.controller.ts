import { Controller, Get } from '@nestjs/common';
import { HostedJourneys } from '../../journeys/index.js';
import { Clock, Page, SeeOther } from '../../platform/index.js';
import { screenOf } from './current-screen.js';
import { CURRENT_SCREEN, ScreenRedirect } from './screen-redirect.js';
import { CurrentVisit, SignedIn, type Visit } from './signed-in.js';

const RELOAD_SECONDS = 1;

@Controller(CURRENT_SCREEN)
@SignedIn()
export class HomeController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly clock: Clock,
  ) {}

  @Get()
  async whereAmI(@CurrentVisit() { session }: Visit): Promise<SeeOther> {
    return new SeeOther(screenOf(await this.hosted.read(session)));
  }

  /** A repeated press waits here while the first is recorded. */
  @Get('moment')
  async moment(@CurrentVisit() { session }: Visit): Promise<Page> {
    const { leaseUntil } = await this.hosted.read(session);
    const isOver = leaseUntil === null || leaseUntil <= this.clock.now();
    if (isOver) throw new ScreenRedirect(CURRENT_SCREEN);
    return new Page('entry/moment', {
      titleKey: 'entry.moment.title',
      refreshSeconds: RELOAD_SECONDS,
    });
  }
}
