import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ScheduledTask } from '../platform/index.js';
import { PartnerRequestsRepository } from './store/partner-requests.repository.js';

const EVERY_MS = 60 * 60_000;

/** Makes the tables of the next days and drops those that are over; safe on any number of replicas at once. */
@Injectable()
export class RequestLogTasks implements OnApplicationBootstrap {
  constructor(private readonly requests: PartnerRequestsRepository) {}

  /** An interval begins with a wait. */
  async onApplicationBootstrap(): Promise<void> {
    await this.keepDays();
  }

  @ScheduledTask('request-log-days', EVERY_MS)
  async keepDays(): Promise<void> {
    await this.requests.keepDays();
  }
}
