import { FrozenPdf } from './frozen-pdf.entity.js';

export const APPLICANT_WEB_ENTITIES = [FrozenPdf];
