import { Application } from './application.entity.js';
import { LeadCountDelta } from './lead-count-delta.entity.js';
import { LeadCount } from './lead-count.entity.js';

export const LEAD_ENTITIES = [Application, LeadCountDelta, LeadCount];
