import { LenderInboxRow } from './lender-inbox.entity.js';
import { LenderQuestionRow } from './lender-question.entity.js';
import { LenderRow } from './lender.entity.js';

export const LENDER_ENTITIES = [LenderInboxRow, LenderQuestionRow, LenderRow];
