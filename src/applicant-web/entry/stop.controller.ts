import { Controller, Get } from '@nestjs/common';
import {
  HostedJourneys,
  type HostedJourneyView,
  type HostedSessionValue,
} from '../../journeys/index.js';
import { enteredIn, FormPost, Page, SeeOther } from '../../platform/index.js';
import { isFault } from '../steps/step-pages.js';
import { requireStamp } from './current-screen.js';
import { leftBehind, stopRows } from './left-behind.js';
import { CURRENT_SCREEN, ScreenRedirect } from './screen-redirect.js';
import { CurrentVisit, SignedIn, type Visit } from './signed-in.js';

@Controller('hosted/stop')
@SignedIn()
export class StopController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await this.read(session);
    const left = await leftBehind(this.hosted, session, language);
    return new Page('entry/stop', {
      titleKey: 'entry.stop.title',
      rows: stopRows(left, view.isConfirmed, language),
      mandates: left.mandates,
      keepHref: CURRENT_SCREEN,
      shown: view.stamp,
      mayChooseAnother: view.wayBack === 'OPEN',
    });
  }

  @FormPost()
  async stop(@CurrentVisit() { session, request }: Visit): Promise<SeeOther> {
    const view = await this.read(session);
    requireStamp(view, enteredIn(request).shown);
    try {
      await this.hosted.stop(session);
    } catch (error) {
      if (isFault(error, 'action_in_flight')) throw new ScreenRedirect('/hosted/moment');
      throw error;
    }
    return new SeeOther(CURRENT_SCREEN);
  }

  /** @throws ScreenRedirect when the journey can no longer be stopped */
  private async read(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    if (!view.mayStop) throw new ScreenRedirect(CURRENT_SCREEN);
    return view;
  }
}
