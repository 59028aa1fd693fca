import { Module } from '@nestjs/common';
import { AccessListing } from './store/access-listing.js';
import { ApiKeysRepository } from './store/api-keys.repository.js';
import { PartnerLogosRepository } from './store/partner-logos.repository.js';
import { PartnersRepository } from './store/partners.repository.js';

const RECORDS = [ApiKeysRepository, PartnersRepository, PartnerLogosRepository, AccessListing];

/** The records of partners and their keys, without the guards: all that a command needs. */
@Module({ providers: RECORDS, exports: RECORDS })
export class AccessRecordsModule {}
