export { Application } from './application.entity.js';
export { LeadCount } from './lead-count.entity.js';
export { LeadCountDelta } from './lead-count-delta.entity.js';
export { LeadBook, type NewLead } from './lead-book.js';
export { LeadsModule } from './leads.module.js';
