import { Module } from '@nestjs/common';
import { InstantLoansModule } from '../../instant-loans/index.js';
import { JourneysModule } from '../../journeys/index.js';
import { KeyFactsModule } from '../../key-facts/index.js';
import { KeyFactsController } from './key-facts.controller.js';
import { KeyFactsScreens } from './key-facts-screens.js';

@Module({
  imports: [InstantLoansModule, JourneysModule, KeyFactsModule],
  controllers: [KeyFactsController],
  providers: [KeyFactsScreens],
  exports: [KeyFactsScreens],
})
export class KeyFactsScreensModule {}
