import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { Admission, PartnerGuard } from './partner.guard.js';
import { KeyDirectory } from './key-directory.js';
import { LimitsGuard, ScopeGuard } from './scoped.decorator.js';
import { SignatureExplainer } from './signature-explainer.js';
import { AdmissionsRepository, RequestNoncesRepository } from './store/admissions.repository.js';
import { AccessListing, KeyAccessRepository } from './store/key-access.repository.js';
import {
  PagePartners,
  PartnerAlertEmails,
  PartnerLogosRepository,
  PartnerReturnUrls,
  PartnersRepository,
} from './store/partners.repository.js';
import { ApiKeysRepository } from './store/api-keys.repository.js';

const RECORDS = [ApiKeysRepository, PartnersRepository, PartnerLogosRepository, AccessListing];

/** For commands, which need the records but no guards. */
@Module({ providers: RECORDS, exports: RECORDS })
export class AccessRecordsModule {}

const MINUTE_MS = 60_000;
const DEFAULT_MINUTE_LIMIT = 120;

// ThrottlerModule requires one, but `LimitsGuard` uses the key's own limits.
const THROTTLERS = [{ name: 'key', ttl: MINUTE_MS, limit: DEFAULT_MINUTE_LIMIT }];

@Global()
@Module({
  imports: [AccessRecordsModule, ThrottlerModule.forRoot({ throttlers: THROTTLERS })],
  providers: [
    KeyDirectory,
    Admission,
    AdmissionsRepository,
    RequestNoncesRepository,
    PartnerGuard,
    LimitsGuard,
    ScopeGuard,
    SignatureExplainer,
    KeyAccessRepository,
    PagePartners,
    PartnerReturnUrls,
    PartnerAlertEmails,
  ],
  exports: [
    AccessRecordsModule,
    KeyDirectory,
    Admission,
    PartnerGuard,
    LimitsGuard,
    ScopeGuard,
    SignatureExplainer,
    ThrottlerModule,
    KeyAccessRepository,
    PagePartners,
    PartnerReturnUrls,
    PartnerAlertEmails,
  ],
})
export class AuthModule {}
