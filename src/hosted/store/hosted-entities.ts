import { FrozenPdfRow } from './frozen-pdf.entity.js';

export const HOSTED_ENTITIES = [FrozenPdfRow];
