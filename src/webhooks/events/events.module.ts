import { Module } from '@nestjs/common';
import { DeliveriesDue } from '../deliveries/deliveries-due.js';
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
    DeliveriesDue,
    DeliveriesService,
  ],
  exports: [DeliveriesRepository, EventPublisher, DeliveriesDue, DeliveriesService],
})
export class EventsModule {}
