import { Injectable, Module } from '@nestjs/common';
import { ScheduledTask } from '../platform/index.js';
import { LeadsController } from './leads.controller.js';
import { LeadCountsRepository } from './store/lead-counts.repository.js';
import { LeadWriter } from './store/lead-writer.js';
import { LeadsRepository } from './store/leads.repository.js';

const EVERY_MS = 1_000;
const MAX_BATCHES = 1_000;

/** Safe on any number of replicas. */
@Injectable()
export class LeadCountsTasks {
  constructor(private readonly counts: LeadCountsRepository) {}

  @ScheduledTask('lead-counts', EVERY_MS)
  async run(): Promise<void> {
    for (const partnerId of await this.counts.partnersWithChanges()) await this.foldAll(partnerId);
  }

  private async foldAll(partnerId: string): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      if (!(await this.counts.fold(partnerId))) return;
    }
  }
}

@Module({
  controllers: [LeadsController],
  providers: [LeadWriter, LeadsRepository, LeadCountsRepository, LeadCountsTasks],
  exports: [LeadWriter, LeadsRepository],
})
export class LeadsModule {}
