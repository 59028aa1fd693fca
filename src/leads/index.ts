export { LeadBook, type NewLead } from './store/lead-book.js';
export { LeadsModule } from './leads.module.js';
export { LEAD_ENTITIES } from './store/lead-entities.js';
