import { Module } from '@nestjs/common';
import { LeadWriter } from './store/lead-writer.js';
import { LeadCountsRepository } from './store/lead-counts.repository.js';
import { LeadCountsTasks } from './lead-counts.tasks.js';
import { LeadsController } from './leads.controller.js';
import { LeadsRepository } from './store/leads.repository.js';

/** Journeys and instant loans. */
@Module({
  controllers: [LeadsController],
  providers: [LeadWriter, LeadsRepository, LeadCountsRepository, LeadCountsTasks],
  exports: [LeadWriter, LeadsRepository],
})
export class LeadsModule {}
