import { Application } from './application.entity.js';
import { LeadCount, LeadCountDelta } from './lead-count.entity.js';

export const LEAD_ENTITIES = [Application, LeadCountDelta, LeadCount];
