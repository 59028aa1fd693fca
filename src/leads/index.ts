export {
  type LeadDetails,
  LOAN_AMOUNT_SOURCE_TEXT,
  LOAN_AMOUNT_SOURCES,
  type LoanAmountSource,
} from './leads.dto.js';
export {
  GivenReference,
  givenReference,
  LoanReturnUrls,
  type PartnerReference,
  PartnerReferences,
  ShownClientReference,
  ShownMetadata,
} from './partner-reference.js';
export { LeadDetailsRegistry } from './lead-details.js';
export { type ChangedLead, LeadPersonalData, leadRecord, LeadWriter } from './store/lead-writer.js';
export { LeadsRepository, type LeadsOfStatus } from './store/leads.repository.js';
export type { ListedLead } from './store/leads-page-statement.js';
export { LeadsModule } from './leads.module.js';
export { LEAD_ENTITIES } from './store/lead-counts.repository.js';
