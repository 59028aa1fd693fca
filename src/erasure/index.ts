export { ApplicantErasure, type ErasureResult, type ErasureSubject } from './applicant-erasure.js';
export { ErasureModule } from './erasure.module.js';
export type {
  ErasureObstacle,
  LoanHolder,
  LoanKey,
  LoanSearch,
  PersonalDataHolder,
} from './personal-data.js';
export { PersonalDataRegistry } from './personal-data-registry.js';
