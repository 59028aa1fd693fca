import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  CsrfProtected,
  enteredIn,
  type Language,
  Page,
  PageLanguage,
  SeeOther,
} from '../../platform/index.js';
import { requireStamp } from './current-screen.js';
import { CURRENT_SCREEN, ScreenRedirect } from './screen-redirect.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';
import { leftBehind, stopRows } from './left-behind.js';
import { isFault } from '../steps/step-pages.js';

@Controller('hosted/stop')
@SignedIn()
export class StopController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
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

  @Post()
  @CsrfProtected()
  async stop(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
  ): Promise<SeeOther> {
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
