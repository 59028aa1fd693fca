import { Module } from '@nestjs/common';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { DeliveriesRepository } from '../store/deliveries.repository.js';
import { EventsRepository } from '../store/events.repository.js';
import { EventPublisher } from './event-publisher.js';

/** Publishing without the sender, for the command line. */
@Module({
  providers: [
    EventsRepository,
    DeliveriesRepository,
    EventPublisher,
    SenderWakeUp,
    DeliveriesService,
  ],
  exports: [DeliveriesRepository, EventPublisher, SenderWakeUp, DeliveriesService],
})
export class EventsModule {}
