import { LenderApiKey } from './lender-api-key.entity.js';
import { LenderMessage } from './lender-message.entity.js';
import { LenderRequestId } from './lender-request-id.entity.js';

export const LENDER_API_ENTITIES = [LenderApiKey, LenderMessage, LenderRequestId];
