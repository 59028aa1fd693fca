import { Injectable, Module } from '@nestjs/common';
import { DuePoller, ScheduledTask, UNWOKEN_MS } from '../platform/index.js';
import { LeadDetailsRegistry } from './lead-details.js';
import { LeadsController } from './leads.controller.js';
import { LeadCountsRepository } from './store/lead-counts.repository.js';
import { LoanReturnUrls, PartnerReferences } from './partner-reference.js';
import { LeadWriter } from './store/lead-writer.js';
import { LeadsRepository } from './store/leads.repository.js';

const MAX_BATCHES = 1_000;

/** Safe on any number of replicas. */
@Injectable()
export class LeadCountsTasks {
  constructor(
    private readonly counts: LeadCountsRepository,
    poller: DuePoller,
  ) {
    poller.watch(LeadCountsRepository.CHANGES, () => void this.run());
  }

  @ScheduledTask('lead-counts', UNWOKEN_MS)
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
  providers: [
    PartnerReferences,
    LoanReturnUrls,
    LeadDetailsRegistry,
    LeadWriter,
    LeadsRepository,
    LeadCountsRepository,
    LeadCountsTasks,
  ],
  exports: [PartnerReferences, LoanReturnUrls, LeadDetailsRegistry, LeadWriter, LeadsRepository],
})
export class LeadsModule {}
