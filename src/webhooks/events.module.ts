import { Module } from '@nestjs/common';
import { DeliveriesDue } from './deliveries-due.js';
import { EventPublisher } from './event-publisher.js';

/** Putting events on their way, without the sender: what a command line may do, too. */
@Module({
  providers: [EventPublisher, DeliveriesDue],
  exports: [EventPublisher, DeliveriesDue],
})
export class EventsModule {}
