import { Module } from '@nestjs/common';
import { JourneysModule } from '../journeys/index.js';
import { KeyFactsController } from './key-facts.controller.js';
import { RedirectController } from './redirect.controller.js';

/** The pages that applicants see. */
@Module({ imports: [JourneysModule], controllers: [KeyFactsController, RedirectController] })
export class HostedModule {}
