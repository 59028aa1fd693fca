import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HostedJourneys } from '../../journeys/index.js';
import { Clock } from '../../platform/index.js';
import { ScreenRedirect } from '../entry/screen-redirect.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { StepScreens } from './step-screens.js';

const LOOK_AGAIN_SECONDS = 1;

/** Where a second press leads while the first one is being recorded: it waits, and repeats nothing. */
@Controller('hosted/moment')
@SignedIn()
export class ActionInFlightController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly screens: StepScreens,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { leaseUntil } = await this.hosted.read(session);
    if (leaseUntil === null || leaseUntil <= this.clock.now()) throw new ScreenRedirect('/hosted');
    await this.screens.show({ request, response }, 'hosted/steps/moment', {
      titleKey: 'steps.moment.title',
      refreshSeconds: LOOK_AGAIN_SECONDS,
    });
  }
}
