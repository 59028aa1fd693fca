import { Module } from '@nestjs/common';
import { ApplicantErasure } from './applicant-erasure.js';
import { PersonalDataRegistry } from './personal-data-registry.js';

/** Imported by every module that keeps personal data of applicants. */
@Module({
  providers: [PersonalDataRegistry, ApplicantErasure],
  exports: [PersonalDataRegistry, ApplicantErasure],
})
export class ErasureModule {}
