import { Module } from '@nestjs/common';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { DeliveriesRepository } from '../store/deliveries.repository.js';
import { EventsRepository } from '../store/events.repository.js';
import { EventPublisher } from './event-publisher.js';

/** Putting events and deliveries on their way, without the sender: what a command line may do. */
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
