import { FrozenPdf } from './frozen-pdf.entity.js';

export const HOSTED_ENTITIES = [FrozenPdf];
