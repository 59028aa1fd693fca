import { LenderInboxRow } from './lender-inbox.entity.js';
import { LenderQuestionRow } from './lender-question.entity.js';
import { LenderReferenceRow } from './lender-reference.entity.js';

export const LENDER_ENTITIES = [LenderInboxRow, LenderQuestionRow, LenderReferenceRow];
