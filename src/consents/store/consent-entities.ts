import { ConsentLogEntry } from './consent-log-entry.entity.js';

export const CONSENT_ENTITIES = [ConsentLogEntry];
