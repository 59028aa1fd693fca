import { Module } from '@nestjs/common';
import { JourneysModule } from '../../journeys/index.js';
import { AmountController } from './amount.controller.js';
import { BrowserSessions } from './browser-sessions.js';
import { CheckController } from './check.controller.js';
import { CodeController } from './code.controller.js';
import { ConsentController } from './consent.controller.js';
import { DetailsController } from './details.controller.js';
import { HomeController } from './home.controller.js';
import { LinkController } from './link.controller.js';
import { ReturnedController } from './returned.controller.js';
import { StartController } from './start.controller.js';
import { WaitingController } from './waiting.controller.js';

@Module({
  imports: [JourneysModule],
  controllers: [
    HomeController,
    ReturnedController,
    StartController,
    LinkController,
    CodeController,
    AmountController,
    ConsentController,
    DetailsController,
    CheckController,
    WaitingController,
  ],
  providers: [BrowserSessions],
  exports: [BrowserSessions],
})
export class HostedEntryModule {}
