import { Module } from '@nestjs/common';
import { DeliveriesDue } from './deliveries-due.js';
import { DeliveryDesk } from './delivery-desk.js';
import { EventPublisher } from './event-publisher.js';

/** Putting events and deliveries on their way, without the sender: what a command line may do. */
@Module({
  providers: [EventPublisher, DeliveriesDue, DeliveryDesk],
  exports: [EventPublisher, DeliveriesDue, DeliveryDesk],
})
export class EventsModule {}
