import { PartnerRequest } from './partner-request.entity.js';

export const REQUEST_LOG_ENTITIES = [PartnerRequest];
