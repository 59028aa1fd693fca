import { Module } from '@nestjs/common';
import { LeadBook } from './store/lead-book.js';
import { LeadCounts } from './store/lead-counts.repository.js';
import { LeadCountsTasks } from './lead-counts.tasks.js';
import { LeadsController } from './leads.controller.js';
import { LeadsRepository } from './store/leads.repository.js';

/** Every application of a partner, whatever it came from. */
@Module({
  controllers: [LeadsController],
  providers: [LeadBook, LeadsRepository, LeadCounts, LeadCountsTasks],
  exports: [LeadBook],
})
export class LeadsModule {}
