import { ApiKeyWindow } from './api-key-window.entity.js';
import { ApiKey } from './api-key.entity.js';
import { PartnerLogo } from './partner-logo.entity.js';
import { Partner } from './partner.entity.js';
import { RequestNonce } from './request-nonce.entity.js';

export const AUTH_ENTITIES = [ApiKeyWindow, ApiKey, Partner, PartnerLogo, RequestNonce];
