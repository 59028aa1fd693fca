export { LeadWriter, type NewLead } from './store/lead-writer.js';
export { LeadsModule } from './leads.module.js';
export { LEAD_ENTITIES } from './store/lead-entities.js';
