import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { logFailure } from '../platform/index.js';
import { LeadCounts } from './store/lead-counts.repository.js';

const EVERY_MS = 1_000;
const MAX_BATCHES = 1_000;

/** Folds the changes of the leads into their counts; on any number of replicas, each partner once. */
@Injectable()
export class LeadCountsTasks {
  private readonly logger = new Logger(LeadCountsTasks.name);
  private isRunning = false;
  private isFirstPass = true;

  constructor(private readonly counts: LeadCounts) {}

  @Interval('lead-counts', EVERY_MS)
  async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      const large = this.isFirstPass ? await this.counts.partnersWithLargeChunks() : [];
      const changed = await this.counts.partnersWithChanges();
      for (const partnerId of new Set([...large, ...changed])) await this.foldAll(partnerId);
      this.isFirstPass = false;
    } catch (error) {
      logFailure(this.logger, error);
    } finally {
      this.isRunning = false;
    }
  }

  private async foldAll(partnerId: string): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      if (!(await this.counts.fold(partnerId))) return;
    }
  }
}
