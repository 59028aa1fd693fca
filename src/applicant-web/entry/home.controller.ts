import { Controller, Get } from '@nestjs/common';
import { HostedJourneys } from '../../journeys/index.js';
import { SeeOther } from '../../platform/index.js';
import { screenOf } from './current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

@Controller('hosted')
@SignedIn()
export class HomeController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async whereAmI(@HostedSession() session: HostedSessionValue): Promise<SeeOther> {
    return new SeeOther(screenOf(await this.hosted.read(session)));
  }
}
